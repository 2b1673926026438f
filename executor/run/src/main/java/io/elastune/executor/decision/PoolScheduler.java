package io.elastune.executor.decision;

import io.elastune.core.timeline.PoolPlacement;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.PoolProgress;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs chains that share instances with the rules by which they are predicted: {@link
 * PoolPlacement} and {@link io.elastune.core.search.PoolRules} (docs/searches.md, "Shared
 * instances").
 */
final class PoolScheduler {
  private final Transition transition;
  private final PoolProgress progress;
  private final List<LeaseState> staying;

  private PoolScheduler(Transition transition) {
    this.transition = transition;
    this.progress = SharedPool.progress(transition);
    this.staying = SharedPool.staying(transition);
  }

  /** Ends groups, starts the tasks that fit, and releases instances that are not needed. */
  static void advance(Transition transition) {
    boolean ended = true;
    while (ended && transition.running()) {
      ended = false;
      for (int chain = 0; chain < transition.chainCount() && transition.running(); chain++) {
        ended |= transition.group(chain).isPresent() && Scheduler.endGroupIfDone(transition, chain);
      }
    }
    if (transition.running()) {
      new PoolScheduler(transition).serve();
      new PoolScheduler(transition).release();
    }
  }

  private void serve() {
    List<PoolPlacement.Request> requests = new ArrayList<>();
    for (int chain : progress.order()) {
      int waiting = transition.group(chain).isPresent() ? waiting(chain).size() : 0;
      if (waiting > 0) {
        requests.add(new PoolPlacement.Request(chain, waiting, gpus(chain)));
      }
    }
    if (requests.isEmpty() || staying.isEmpty()) {
      return;
    }
    List<PoolPlacement.Start> starts = place(requests);
    for (PoolPlacement.Request request : requests) {
      start(
          request.queue(),
          starts.stream().filter(start -> start.queue() == request.queue()).toList());
    }
  }

  private List<Integer> waiting(int chain) {
    return transition.chain(chain).waiting().stream()
        .filter(trial -> transition.trial(trial).isConfigured())
        .toList();
  }

  private int gpus(int chain) {
    return transition.allocation(transition.group(chain).orElseThrow()).gpusPerTrial();
  }

  private List<PoolPlacement.Start> place(List<PoolPlacement.Request> requests) {
    PoolPlacement placement = new PoolPlacement(progress.offer().gpus());
    for (LeaseState lease : staying) {
      placement.add(taken(lease.lease()), lease.isReady());
    }
    return placement.place(requests);
  }

  /** A bit for each GPU of an instance on which a trial runs. */
  private long taken(String lease) {
    long bits = 0;
    for (AttemptState attempt : transition.attempts()) {
      for (GpuSlot slot : attempt.places()) {
        bits |= slot.lease().equals(lease) ? PoolPlacement.mask(slot.gpu(), 1) : 0;
      }
    }
    return bits;
  }

  /**
   * Starts trials of a chain in these places, each on the instance where it ran if possible. They
   * start in the order of the places: of tasks that end at the same time, the first frees its GPUs
   * first, as predicted.
   */
  private void start(int chain, List<PoolPlacement.Start> starts) {
    List<List<List<GpuSlot>>> free =
        IntStream.range(0, staying.size())
            .mapToObj(instance -> slots(starts, instance))
            .filter(slots -> !slots.isEmpty())
            .toList();
    List<List<GpuSlot>> inOrder = starts.stream().map(this::slot).toList();
    List<Integer> waiting = waiting(chain);
    List<List<GpuSlot>> assigned = PlacementController.assign(transition, free, waiting);
    List<Integer> trials =
        inOrder.stream().map(slot -> waiting.get(assigned.indexOf(slot))).toList();
    Scheduler.startAttempts(transition, chain, trials, inOrder);
  }

  private List<List<GpuSlot>> slots(List<PoolPlacement.Start> starts, int instance) {
    return starts.stream().filter(start -> start.instance() == instance).map(this::slot).toList();
  }

  private List<GpuSlot> slot(PoolPlacement.Start start) {
    String lease = staying.get(start.instance()).lease();
    return IntStream.range(start.firstGpu(), start.firstGpu() + start.gpus())
        .mapToObj(gpu -> new GpuSlot(lease, gpu))
        .toList();
  }

  /** Releases idle instances beyond those that the chains need, the highest number first. */
  private void release() {
    boolean isOver =
        IntStream.range(0, transition.chainCount())
            .noneMatch(chain -> transition.group(chain).isPresent());
    if (transition.holdsInstances() && !isOver) {
      return;
    }
    staying.stream()
        .filter(lease -> !transition.occupied(lease.lease()))
        .sorted(Comparator.comparingInt(LeaseState::number).reversed())
        .limit(Math.max(0, staying.size() - progress.instances()))
        .forEach(lease -> transition.release(lease, ReasonCode.RELEASED_IDLE));
  }
}
