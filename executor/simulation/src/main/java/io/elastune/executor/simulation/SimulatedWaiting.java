package io.elastune.executor.simulation;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.KeepAlive;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The trials whose simulated workers wait for their next attempt, by the rules of the engines for
 * local processes and for Ray (docs/trial-protocol.md, "Workers that wait").
 */
final class SimulatedWaiting {
  /** How long workers wait. */
  private static final long LIMIT_NANOS = 3600L * 1_000_000_000L;

  private final VirtualTime time;
  private final Map<Integer, Waiting> byTrial = new LinkedHashMap<>();

  private record Waiting(AttemptSpec spec, long untilNanos) {}

  SimulatedWaiting(VirtualTime time) {
    this.time = time;
  }

  /** Lets the workers of an attempt wait that has ended well, if they may. */
  void add(AttemptSpec spec) {
    boolean isOnOneInstance =
        spec.workers().stream().map(AttemptSpec.Worker::lease).distinct().count() == 1;
    if (spec.keepAlive() == KeepAlive.WAIT && isOnOneInstance) {
      byTrial.put(spec.trial(), new Waiting(spec, time.nanos() + LIMIT_NANOS));
    }
  }

  /**
   * Returns whether the workers of its trial continue with an attempt that starts now. Otherwise it
   * ends those of the trial, and those that would be too many on the GPUs.
   *
   * @param running the other attempts
   */
  boolean continueWith(AttemptSpec next, Collection<AttemptSpec> running) {
    byTrial.values().removeIf(one -> one.untilNanos() < time.nanos());
    Waiting own = byTrial.remove(next.trial());
    if (own != null && next.canContinue(own.spec())) {
      return true;
    }
    for (AttemptSpec.Worker slot : next.workers()) {
      List<Integer> here =
          byTrial.values().stream()
              .map(Waiting::spec)
              .filter(one -> uses(one, slot))
              .map(AttemptSpec::trial)
              .toList();
      long others = running.stream().filter(one -> uses(one, slot)).count();
      long surplus = others + 1 + here.size() - next.trialsPerGpu();
      here.stream().limit(Math.max(0, surplus)).forEach(byTrial::remove);
    }
    return false;
  }

  private static boolean uses(AttemptSpec spec, AttemptSpec.Worker slot) {
    return spec.workers().stream()
        .anyMatch(one -> one.lease().equals(slot.lease()) && one.slotIndex() == slot.slotIndex());
  }

  /** Ends the workers on an instance. */
  void endOn(String lease) {
    byTrial
        .values()
        .removeIf(
            one -> one.spec().workers().stream().anyMatch(worker -> worker.lease().equals(lease)));
  }

  /** Ends all workers that wait. */
  void end() {
    byTrial.clear();
  }
}
