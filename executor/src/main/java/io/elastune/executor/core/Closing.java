package io.elastune.executor.core;

import io.elastune.core.time.Seconds;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Shuts a run down: trials write checkpoints, every instance is released, and the cloud must list
 * no instance before the run counts as finished (docs/architecture.md).
 */
final class Closing {
  /** Seconds after which an unconfirmed release is requested again. */
  private static final double ASK_AGAIN_S = 5;

  /**
   * Seconds of releasing, and then of verifying, after which the run ends with instances that may
   * still be billed.
   */
  private static final double GIVE_UP_S = 180;

  /** Seconds between two events that indicate a clock jump or a suspended machine. */
  private static final double LEAP_S = 60;

  private Closing() {}

  /** Advances to releasing, verifying and finishing as soon as the step before is complete. */
  static void settle(Draft draft) {
    if (draft.running() && allChainsEnded(draft)) {
      late(draft);
      releaseAll(draft);
    }
    if (draft.phase() == RunState.Phase.STOPPING && !draft.hasAttempts()) {
      releaseAll(draft);
    }
    boolean allGone = draft.leases().stream().allMatch(Closing::gone);
    if (draft.phase() == RunState.Phase.RELEASING && allGone) {
      draft.phase(RunState.Phase.VERIFYING);
      draft.ending(draft.ending().releasing(draft.now)); // verifying has its own time limit
      ask(draft);
    }
  }

  private static boolean gone(LeaseState lease) {
    return lease.phase() == LeaseState.Phase.GONE;
  }

  private static boolean allChainsEnded(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      if (draft.chain(chain).group() < draft.groupsOf(chain).groups().size()) {
        return false;
      }
    }
    return true;
  }

  private static void late(Draft draft) {
    Instant end = draft.lastEnd().orElse(draft.now);
    double took = Seconds.between(draft.began(), end);
    if (draft.definition.deadlineS().isPresent()
        && took > draft.definition.deadlineS().getAsDouble()) {
      draft.ending(
          draft
              .ending()
              .because(RunOutcome.DEADLINE_MISSED, "deadline missed; everything else completed"));
    }
  }

  /** Releases everything without waiting for attempts: they end with their instances. */
  static void releaseNow(Draft draft) {
    if (draft.phase() == RunState.Phase.STOPPING) {
      releaseAll(draft);
    }
  }

  private static void releaseAll(Draft draft) {
    draft.phase(RunState.Phase.RELEASING);
    draft.ending(draft.ending().releasing(draft.now));
    for (LeaseState lease : draft.leases()) {
      if (lease.held()) {
        draft.release(lease, "the run is ending");
      }
    }
  }

  private static void ask(Draft draft) {
    draft.ending(draft.ending().listing(draft.now));
    draft.command(new Command.ListInstances());
  }

  /** Handles the cloud's list: finishes if it is empty, otherwise releases what it contains. */
  static void listed(Draft draft, CloudEvent.Listed event) {
    if (draft.phase() != RunState.Phase.VERIFYING) {
      releaseUnknown(draft, event);
      return;
    }
    draft.ending(draft.ending().listed(event.instances().size()));
    if (event.instances().isEmpty()) {
      finish(draft, 0);
      return;
    }
    for (InstanceInfo instance : event.instances()) {
      draft.command(new Command.ReleaseInstance(instance.lease()));
    }
  }

  /** Releases what the cloud lists although its lease is terminated or unknown in the journal. */
  private static void releaseUnknown(Draft draft, CloudEvent.Listed event) {
    for (InstanceInfo instance : event.instances()) {
      Optional<LeaseState> known = draft.lease(instance.lease());
      if (known.filter(lease -> !gone(lease)).isEmpty()) {
        draft.command(new Command.ReleaseInstance(instance.lease()));
        draft.note(
            DecisionKind.RELEASE,
            instance.lease() + ": listed by the cloud, but not held by this run",
            Map.of());
      }
    }
  }

  /**
   * Restarts the time limit of the shutdown after a clock jump: no request was sent in that time.
   */
  static void look(Draft draft) {
    if (isClosing(draft) && Seconds.between(draft.before, draft.now) > LEAP_S) {
      draft.ending(draft.ending().releasing(draft.now));
    }
  }

  private static boolean isClosing(Draft draft) {
    return draft.phase() == RunState.Phase.RELEASING || draft.phase() == RunState.Phase.VERIFYING;
  }

  /** Repeats unconfirmed requests, and ends the run when the time limit is reached. */
  static void tick(Draft draft) {
    if (!isClosing(draft)) {
      return;
    }
    double releasing = Seconds.between(draft.ending().releaseSince().orElse(draft.now), draft.now);
    if (releasing > GIVE_UP_S) {
      int left = Math.max(draft.ending().instancesLeft(), unconfirmed(draft));
      draft.ending(
          draft.ending().because(RunOutcome.CLEANUP_UNCONFIRMED, "cleanup is not confirmed"));
      finish(draft, left);
      return;
    }
    var asked = draft.ending().listedAt();
    if (asked.isEmpty() || Seconds.between(asked.get(), draft.now) < ASK_AGAIN_S) {
      if (asked.isEmpty()) {
        draft.ending(draft.ending().listing(draft.now));
      }
      return;
    }
    draft.leases().stream()
        .filter(lease -> !gone(lease))
        .forEach(lease -> draft.command(new Command.ReleaseInstance(lease.lease())));
    if (draft.phase() == RunState.Phase.VERIFYING) {
      ask(draft);
    } else {
      draft.ending(draft.ending().listing(draft.now));
    }
  }

  private static int unconfirmed(Draft draft) {
    return (int) draft.leases().stream().filter(lease -> !gone(lease)).count();
  }

  private static void finish(Draft draft, int instancesLeft) {
    draft.phase(RunState.Phase.FINISHED);
    draft.attempts().forEach(attempt -> Supervisor.takeForEnded(draft, attempt));
    draft.ending(draft.ending().listed(instancesLeft));
    draft.command(new Command.Finish(draft.ending().outcome(), instancesLeft));
  }
}
