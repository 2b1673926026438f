package io.elastune.simulator;

import io.elastune.core.search.MomentHeap;
import io.elastune.core.search.PoolPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Simulates tasks on instances of one pool in one sample with faults, from event to event. An event
 * takes logarithmic time in the number of tasks, unless a fault occurs.
 *
 * @param <T> what a task belongs to
 */
abstract class FaultyTaskRun<T> {
  final FaultyCluster cluster;
  final int gpusPerInstance;
  double nowS;

  /** Whether the search has ended at its target or at its time. */
  boolean endsSearch;

  private final FaultHazards hazards;
  private final double checkpointS;
  private final long allGpus;

  /** The ends of running tasks, by their order. Those of tasks that ended before are stale. */
  private final MomentHeap ends = new MomentHeap();

  // By order: the task that started last.
  private final List<FaultyTask<T>> tasks = new ArrayList<>();

  /** By instance: the slot of all its tasks. */
  private final Map<FaultyLease, FaultySlot> slots = new HashMap<>();

  // The running tasks in the order of the start of their attempts.
  private @Nullable FaultyTask<T> first;
  private @Nullable FaultyTask<T> last;

  /** Running tasks that may report the metric that ends the search. */
  private int withTarget;

  /** The next instance that becomes ready, as of a version of the leases and of their readiness. */
  private @Nullable FaultyLease nextReady;

  private int nextReadyOf = -1;

  /**
   * @param checkpointS mean seconds to write a checkpoint
   */
  FaultyTaskRun(
      FaultyCluster cluster, FaultHazards hazards, double checkpointS, int gpusPerInstance) {
    this.cluster = cluster;
    this.hazards = hazards;
    this.checkpointS = checkpointS;
    this.gpusPerInstance = gpusPerInstance;
    allGpus = PoolPlacement.mask(0, gpusPerInstance);
  }

  /** What ends an attempt. */
  enum Fault {
    /** Its program crashes. */
    CRASH,
    /** It hangs, and is stopped. */
    HANG,
    /** Its instance is lost. */
    LOSS,
    /** Its instance is preempted, with the time to save a checkpoint. */
    NOTICED_LOSS;

    /** Whether the fault strikes the instance, not the attempt. */
    boolean isOfInstance() {
      return this == LOSS || this == NOTICED_LOSS;
    }
  }

  /** Begins the clock of the trial of a task again after a fault; returns whether it crashes. */
  abstract boolean crashes(FaultyTask<T> task);

  /** Records that the trial of a task has no further crash or hang. */
  abstract void stopClock(FaultyTask<T> task);

  /** Handles a task that has trained all its units; it still runs. */
  abstract void finish(FaultyTask<T> task);

  /** Ends a task by a fault. */
  abstract void interrupt(FaultyTask<T> task, Fault fault);

  /** Replaces an instance that is lost, from which all tasks have been removed, if necessary. */
  abstract void replace(FaultyLease lost);

  /**
   * Advances to the next event and handles it.
   *
   * @param untilS when the search ends in any case: after all events at this time
   */
  final void advance(double untilS) {
    LeaseEvents leases = cluster.events(nowS);
    // Of several events at the same time, boots that fail come first, then instances that become
    // ready, then tasks in the order of start.
    FaultyLease ready = nextReady(leases.version());
    FaultyTask<T> ending = nextEnd();
    boolean isReady =
        ready != null
            && (ending == null
                || MomentHeap.ns(ready.readyS) <= MomentHeap.ns(ending.attempt.nextS()));
    double eventS =
        isReady && ready != null
            ? ready.readyS
            : ending == null ? FaultyLease.NEVER : ending.attempt.nextS();
    double changeS = leases.nextBootFailureS();
    boolean changes = changeS < FaultyLease.NEVER && changeS <= eventS;
    double changedS = changes ? changeS : eventS;
    double targetS = targetS();
    boolean isTarget =
        targetS < FaultyLease.NEVER
            && targetS <= untilS
            && MomentHeap.ns(targetS) <= MomentHeap.ns(changedS);
    boolean isLate =
        !isTarget && untilS < FaultyLease.NEVER && MomentHeap.ns(changedS) > MomentHeap.ns(untilS);
    double nextS = isTarget ? targetS : isLate ? untilS : changedS;
    FaultyLease lost = leases.nextLost();
    if (lost != null && leases.nextLossS() < nextS) {
      nowS = leases.nextLossS();
      FaultyCluster.Losses losses = cluster.lostWith(lost, nowS);
      losses.lost().forEach(each -> lose(each, losses.preempted()));
      return;
    }
    nowS = nextS;
    endsSearch = isTarget || isLate;
    if (changes || endsSearch) {
      return;
    }
    if (isReady && ready != null) {
      ready.takesTasks = true;
      nextReadyOf = -1;
    } else if (ending == null) {
      throw new IllegalStateException("tasks wait, but no instance is left for them");
    } else if (ending.attempt.hangs) {
      interrupt(ending, Fault.HANG);
    } else if (ending.attempt.isFaulty()) {
      strike(ending);
    } else {
      finish(ending);
    }
  }

  /** Returns the held instance that becomes ready next, and of several the lowest number. */
  private @Nullable FaultyLease nextReady(int version) {
    if (version != nextReadyOf) {
      nextReadyOf = version;
      nextReady = null;
      long leastNs = Long.MAX_VALUE;
      for (int i = 0; i < cluster.held.size(); i++) {
        FaultyLease lease = cluster.held.get(i);
        if (lease.bootFailsS == FaultyLease.NEVER && !lease.takesTasks) {
          long ns = MomentHeap.ns(lease.readyS);
          if (nextReady == null || ns < leastNs) {
            nextReady = lease;
            leastNs = ns;
          }
        }
      }
    }
    return nextReady;
  }

  /** Returns the running task that ends next; null if none runs. */
  private @Nullable FaultyTask<T> nextEnd() {
    while (!ends.isEmpty()) {
      FaultyTask<T> task = tasks.get(ends.firstKey());
      if (task.isRunning && MomentHeap.ns(task.attempt.nextS()) == ends.firstNs()) {
        return task;
      }
      ends.poll();
    }
    return null;
  }

  private double targetS() {
    double targetS = FaultyLease.NEVER;
    if (withTarget > 0) {
      for (FaultyTask<T> task = first; task != null; task = task.after) {
        targetS = Math.min(targetS, task.attempt.targetS);
      }
    }
    return targetS;
  }

  private void strike(FaultyTask<T> task) {
    if (!cluster.occurs()) {
      stopClock(task);
      task.attempt.faultS = FaultyLease.NEVER;
      expect(task);
    } else if (crashes(task)) {
      interrupt(task, Fault.CRASH);
    } else {
      hang(task);
    }
  }

  private void hang(FaultyTask<T> task) {
    withTarget -= mayEndSearch(task) ? 1 : 0;
    task.attempt.hang(nowS, checkpointS);
    expect(task);
  }

  private void lose(FaultyLease lost, boolean preempted) {
    cluster.remove(lost);
    Fault fault = preempted && hazards.savesAtNotice() ? Fault.NOTICED_LOSS : Fault.LOSS;
    FaultyTask<T> task = first;
    while (task != null) {
      FaultyTask<T> next = task.after;
      if (task.lease == lost) {
        interrupt(task, fault);
      }
      task = next;
    }
    replace(lost);
  }

  /** Returns the units of its attempt of which a task has a checkpoint when a fault ends it now. */
  final int kept(FaultyTask<T> task, Fault fault) {
    return task.attempt.kept(nowS, fault == Fault.NOTICED_LOSS);
  }

  /** Returns the slot of all tasks on an instance. */
  final FaultySlot slot(FaultyLease lease) {
    return slots.computeIfAbsent(lease, own -> new FaultySlot(List.of(own), own.readyS));
  }

  /** Adds a task whose attempt starts now. */
  final void start(FaultyTask<T> task) {
    task.lease.takenGpus |= PoolPlacement.mask(task.firstGpu, task.gpus);
    var unused = task.attempt.slot.attemptStarted(nowS);
    task.isRunning = true;
    task.before = last;
    if (last == null) {
      first = task;
    } else {
      last.after = task;
    }
    last = task;
    withTarget += mayEndSearch(task) ? 1 : 0;
    if (task.order == tasks.size()) {
      tasks.add(task);
    } else {
      tasks.set(task.order, task);
    }
    expect(task);
  }

  private void expect(FaultyTask<T> task) {
    ends.add(MomentHeap.ns(task.attempt.nextS()), task.order);
  }

  private boolean mayEndSearch(FaultyTask<T> task) {
    return task.attempt.targetS < FaultyLease.NEVER;
  }

  /** Removes a task from its instance. */
  final void end(FaultyTask<T> task) {
    withTarget -= mayEndSearch(task) ? 1 : 0;
    task.isRunning = false;
    FaultyTask<T> before = task.before;
    FaultyTask<T> after = task.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    task.lease.takenGpus &= ~PoolPlacement.mask(task.firstGpu, task.gpus);
    double share = (double) task.gpus / gpusPerInstance;
    var unused = task.attempt.slot.attemptEnded(task.attempt.startS, nowS, share);
  }

  /** Returns the running task whose attempt started first; null if none runs. */
  final @Nullable FaultyTask<T> firstRunning() {
    return first;
  }

  /** Returns the first of as many adjacent free GPUs of an instance as a task needs, or -1. */
  final int firstFree(FaultyLease lease, int gpus) {
    return lease.takesTasks && lease.takenGpus != allGpus
        ? PoolPlacement.firstFree(lease.takenGpus, gpus, gpusPerInstance)
        : -1;
  }
}
