package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The trials whose workers wait for their next attempt. They wait until it starts, until another
 * attempt needs their GPUs, or until their instance or the engine ends. Used on the engine's event
 * loop only.
 */
final class WaitingTrials {
  private final Map<Integer, WaitingWorkers> byTrial = new LinkedHashMap<>();

  /** Keeps the workers of an attempt that has ended. */
  void add(AttemptSpec spec, WorkerGroup group, LocalEngineContext context) {
    byTrial.put(spec.trial(), new WaitingWorkers(spec, group, context));
  }

  /**
   * Returns the workers that continue with an attempt; empty if it starts its own. Before that, it
   * ends the waiting workers that would be on its GPUs, and those of its trial elsewhere.
   *
   * @param running the other attempts
   */
  CompletableFuture<Optional<WorkerGroup>> prepare(
      AttemptSpec next, Collection<AttemptSpec> running) {
    WaitingWorkers own = byTrial.remove(next.trial());
    if (own != null && own.canContinueWith(next)) {
      return CompletableFuture.completedFuture(Optional.of(own.takeOver()));
    }
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    if (own != null) {
      ends.add(own.end());
    }
    for (AttemptSpec.Worker slot : next.workers()) {
      List<WaitingWorkers> here =
          byTrial.values().stream().filter(one -> uses(one.spec(), slot)).toList();
      long others = running.stream().filter(one -> uses(one, slot)).count();
      long tooMany = others + 1 + here.size() - next.trialsPerGpu();
      for (WaitingWorkers one :
          here.subList(0, (int) Math.max(0, Math.min(tooMany, here.size())))) {
        byTrial.remove(one.spec().trial());
        ends.add(one.end());
      }
    }
    return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
        .thenApply(gone -> Optional.empty());
  }

  private static boolean uses(AttemptSpec spec, AttemptSpec.Worker slot) {
    return spec.workers().stream()
        .anyMatch(one -> one.lease().equals(slot.lease()) && one.slotIndex() == slot.slotIndex());
  }

  /** Kills all of them immediately. */
  void kill() {
    byTrial.values().forEach(WaitingWorkers::kill);
    byTrial.clear();
  }
}
