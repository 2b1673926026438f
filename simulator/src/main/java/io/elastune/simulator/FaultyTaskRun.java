package io.elastune.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Simulates tasks on instances of one pool in one sample with faults, from event to event.
 *
 * @param <T> what a task belongs to
 */
abstract class FaultyTaskRun<T> {
  private static final double NANOS = 1e9;

  final FaultyCluster cluster;
  final List<Task<T>> running = new ArrayList<>();

  /** The instances on which tasks start. */
  final Set<FaultyLease> ready = new HashSet<>();

  double nowS;

  /** Whether the search has ended at its target or at its time. */
  boolean endsSearch;

  private final FaultHazards hazards;
  private final double checkpointS;

  /**
   * An attempt on some GPUs of an instance.
   *
   * @param order the number of the first attempt of its task, in order of start
   */
  record Task<T>(
      FaultyAttempt attempt, T owner, FaultyLease lease, int firstGpu, int gpus, int order) {}

  /**
   * An instance that is ready, or a task that ends. Of several at the same time, instances come
   * first in the order of their numbers, then tasks in the order of their start.
   *
   * @param index among the held instances, or among the running tasks
   */
  private record Next(double atS, boolean isTask, int number, int index) {
    static final Next NEVER = new Next(FaultyLease.NEVER, true, Integer.MAX_VALUE, -1);

    private static final Comparator<Next> ORDER =
        Comparator.<Next>comparingLong(next -> nanos(next.atS))
            .thenComparing(Next::isTask)
            .thenComparingInt(Next::number);

    Next orEarlier(Next other) {
      return ORDER.compare(other, this) < 0 ? other : this;
    }
  }

  /**
   * @param checkpointS mean seconds to write a checkpoint
   */
  FaultyTaskRun(FaultyCluster cluster, FaultHazards hazards, double checkpointS) {
    this.cluster = cluster;
    this.hazards = hazards;
    this.checkpointS = checkpointS;
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
    NOTICED_LOSS
  }

  /** Handles a task that has trained all its units; it still runs. */
  abstract void finish(Task<T> task);

  /** Ends a task by a fault. */
  abstract void interrupt(Task<T> task, Fault fault);

  /** Replaces an instance that is lost, from which all tasks have been removed, if necessary. */
  abstract void replace(FaultyLease lost);

  private static long nanos(double seconds) {
    return Math.round(seconds * NANOS);
  }

  /**
   * Advances to the next event and handles it.
   *
   * @param untilS when the search ends in any case: after all events at this time
   */
  final void advance(double untilS) {
    LeaseEvents leases = cluster.events(nowS);
    Next next = next();
    double changeS = Math.min(leases.nextRunningS(), leases.nextBootFailureS());
    boolean changes = changeS < next.atS();
    double changedS = changes ? changeS : next.atS();
    double targetS = targetS();
    boolean isTarget =
        targetS < FaultyLease.NEVER && targetS <= untilS && nanos(targetS) <= nanos(changedS);
    boolean isLate = !isTarget && untilS < FaultyLease.NEVER && nanos(changedS) > nanos(untilS);
    double nextS = isTarget ? targetS : isLate ? untilS : changedS;
    double instancesPerS = leases.hazardPerS();
    double ratePerS = instancesPerS + attemptsPerS();
    double faultS = nowS + cluster.clock.untilS(ratePerS);
    if (faultS < nextS) {
      nowS = faultS;
      cluster.clock.strike();
      strike(cluster.clock.fraction() * ratePerS, instancesPerS);
      return;
    }
    cluster.clock.pass(ratePerS, nextS - nowS);
    nowS = nextS;
    endsSearch = isTarget || isLate;
    if (changes || endsSearch) {
      return;
    }
    if (!next.isTask()) {
      ready.add(cluster.held.get(next.index()));
      return;
    }
    Task<T> ended = running.get(next.index());
    if (ended.attempt().hangs) {
      interrupt(ended, Fault.HANG);
    } else {
      finish(ended);
    }
  }

  private double targetS() {
    double targetS = FaultyLease.NEVER;
    for (Task<T> task : running) {
      targetS = Math.min(targetS, task.attempt().targetS);
    }
    return targetS;
  }

  private double attemptsPerS() {
    double perS = 0;
    for (Task<T> task : running) {
      perS += task.attempt().hangs ? 0 : hazards.attemptPerS();
    }
    return perS;
  }

  private Next next() {
    Next next = Next.NEVER;
    for (int i = 0; i < cluster.held.size(); i++) {
      FaultyLease lease = cluster.held.get(i);
      if (lease.bootFailsS == FaultyLease.NEVER && !ready.contains(lease)) {
        next = next.orEarlier(new Next(lease.readyS, false, lease.number, i));
      }
    }
    for (int i = 0; i < running.size(); i++) {
      Task<T> task = running.get(i);
      next = next.orEarlier(new Next(task.attempt().endS, true, task.order(), i));
    }
    return next;
  }

  private void strike(double at, double instancesPerS) {
    if (at < instancesPerS) {
      FaultyCluster.Losses losses = cluster.lostWith(cluster.at(at, nowS), nowS);
      losses.lost().forEach(lost -> lose(lost, losses.preempted()));
      return;
    }
    double left = at - instancesPerS;
    for (Task<T> task : List.copyOf(running)) {
      if (task.attempt().hangs) {
        continue;
      }
      if (left < hazards.attemptPerS()) {
        if (left < hazards.crashPerS()) {
          interrupt(task, Fault.CRASH);
        } else {
          task.attempt().hang(nowS, checkpointS);
        }
        return;
      }
      left -= hazards.attemptPerS();
    }
  }

  private void lose(FaultyLease lost, boolean preempted) {
    cluster.remove(lost);
    Fault fault = preempted && hazards.savesAtNotice() ? Fault.NOTICED_LOSS : Fault.LOSS;
    for (Task<T> task : List.copyOf(running)) {
      if (task.lease() == lost) {
        interrupt(task, fault);
      }
    }
    replace(lost);
  }

  /** Returns the units of its attempt of which a task has a checkpoint when a fault ends it now. */
  final int kept(Task<T> task, Fault fault) {
    return task.attempt().kept(nowS, fault == Fault.NOTICED_LOSS);
  }

  /**
   * Removes a task from its instance.
   *
   * @param share the fraction of the GPUs of the instance that it uses
   */
  final void end(Task<T> task, double share) {
    running.remove(task);
    task.attempt().slot.attemptEnded(task.attempt().startS, nowS, share);
  }
}
