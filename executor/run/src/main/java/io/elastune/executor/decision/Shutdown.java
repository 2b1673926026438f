package io.elastune.executor.decision;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Shuts a run down: trials write checkpoints, every instance is released, and the cloud must list
 * no instance before the run counts as finished (docs/architecture.md).
 */
final class Shutdown {
  /** Seconds after which an unconfirmed release is requested again. */
  private static final double RETRY_INTERVAL_S = 5;

  /**
   * Seconds of releasing, and then of verifying, after which the run ends with instances that may
   * still be billed. A cloud that throttles calls may take minutes to answer; the nodes' own expiry
   * takes longer.
   */
  private static final double TIME_LIMIT_S = 600;

  /** Seconds between two events that indicate a clock jump or a suspended machine. */
  private static final double CLOCK_JUMP_S = 60;

  private Shutdown() {}

  /** Advances to releasing, verifying and finishing as soon as the step before is complete. */
  static void advance(Transition transition) {
    if (transition.running() && transition.hasEndedAllGroups()) {
      checkDeadline(transition);
      releaseAll(transition);
    }
    if (transition.phase() == RunState.Phase.STOPPING && !transition.hasAttempts()) {
      releaseAll(transition);
    }
    boolean allGone = transition.leases().stream().allMatch(Shutdown::isTerminated);
    if (transition.phase() == RunState.Phase.RELEASING && allGone) {
      transition.phase(RunState.Phase.VERIFYING);
      transition.ending(
          transition.ending().releasing(transition.now)); // verifying has its own time limit
      listInstances(transition);
    }
  }

  private static boolean isTerminated(LeaseState lease) {
    return lease.phase() == LeaseState.Phase.GONE;
  }

  private static void checkDeadline(Transition transition) {
    Instant end = transition.lastEnd().orElse(transition.now);
    double took = Seconds.between(transition.startedAt(), end);
    if (took
        > transition.definition.deadlineOrInfinityS()
            + transition.definition.deadlineToleranceS()) {
      transition.ending(transition.ending().combinedWith(RunOutcome.DEADLINE_MISSED));
    }
  }

  /** Releases everything without waiting for attempts: they end with their instances. */
  static void releaseNow(Transition transition) {
    if (transition.phase() == RunState.Phase.STOPPING) {
      releaseAll(transition);
    }
  }

  private static void releaseAll(Transition transition) {
    transition.phase(RunState.Phase.RELEASING);
    transition.ending(transition.ending().releasing(transition.now));
    for (LeaseState lease : transition.leases()) {
      if (lease.held()) {
        transition.release(lease, ReasonCode.RELEASED_AT_END);
      }
    }
  }

  private static void listInstances(Transition transition) {
    transition.ending(transition.ending().listing(transition.now));
    transition.command(new Command.ListInstances());
  }

  /** Handles the cloud's list: finishes if it is empty, otherwise releases what it contains. */
  static void listed(Transition transition, CloudEvent.Listed event) {
    if (transition.phase() != RunState.Phase.VERIFYING) {
      releaseUnknown(transition, event);
      return;
    }
    transition.ending(transition.ending().listed(event.instances().size()));
    if (event.instances().isEmpty()) {
      finish(transition, 0);
      return;
    }
    for (InstanceInfo instance : event.instances()) {
      transition.command(new Command.ReleaseInstance(instance.lease()));
    }
  }

  /** Releases what the cloud lists although its lease is terminated or unknown in the journal. */
  private static void releaseUnknown(Transition transition, CloudEvent.Listed event) {
    for (InstanceInfo instance : event.instances()) {
      Optional<LeaseState> known = transition.lease(instance.lease());
      if (known.filter(lease -> !isTerminated(lease)).isEmpty()) {
        transition.command(new Command.ReleaseInstance(instance.lease()));
        transition.recordDecision(
            DecisionKind.RELEASE,
            DecisionReason.of(ReasonCode.RELEASED_UNKNOWN, instance.lease()),
            Map.of());
      }
    }
  }

  /**
   * Restarts the time limit of the shutdown after a clock jump: no request was sent in that time.
   */
  static void detectClockJump(Transition transition) {
    if (isClosing(transition)
        && Seconds.between(transition.previousTime, transition.now) > CLOCK_JUMP_S) {
      transition.ending(transition.ending().releasing(transition.now));
    }
  }

  private static boolean isClosing(Transition transition) {
    return transition.phase() == RunState.Phase.RELEASING
        || transition.phase() == RunState.Phase.VERIFYING;
  }

  /** Repeats unconfirmed requests, and ends the run when the time limit is reached. */
  static void tick(Transition transition) {
    if (!isClosing(transition)) {
      return;
    }
    double releasing =
        Seconds.between(transition.ending().releaseSince().orElse(transition.now), transition.now);
    if (releasing > TIME_LIMIT_S) {
      int left = Math.max(transition.ending().instancesLeft(), unconfirmed(transition));
      transition.ending(transition.ending().combinedWith(RunOutcome.CLEANUP_UNCONFIRMED));
      finish(transition, left);
      return;
    }
    var asked = transition.ending().listedAt();
    if (asked.isEmpty() || Seconds.between(asked.get(), transition.now) < RETRY_INTERVAL_S) {
      if (asked.isEmpty()) {
        transition.ending(transition.ending().listing(transition.now));
      }
      return;
    }
    transition.leases().stream()
        .filter(lease -> !isTerminated(lease))
        .forEach(lease -> transition.command(new Command.ReleaseInstance(lease.lease())));
    if (transition.phase() == RunState.Phase.VERIFYING) {
      listInstances(transition);
    } else {
      transition.ending(transition.ending().listing(transition.now));
    }
  }

  private static int unconfirmed(Transition transition) {
    return (int) transition.leases().stream().filter(lease -> !isTerminated(lease)).count();
  }

  private static void finish(Transition transition, int instancesLeft) {
    transition.phase(RunState.Phase.FINISHED);
    transition.attempts().forEach(attempt -> Supervisor.assumeEnded(transition, attempt));
    transition.ending(transition.ending().listed(instancesLeft));
    transition.command(new Command.Finish(transition.ending().outcome(), instancesLeft));
  }
}
