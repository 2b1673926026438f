package io.elastune.executor.core;

import io.elastune.core.time.Seconds;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Ends a run: trials write their checkpoints, every instance is released, and the cloud itself is
 * asked before the run counts as finished (architecture.md, promises 3 and 7).
 */
final class Closing {
  /** The exit code of a run that stopped at its budget. */
  static final int BUDGET = 11;

  /** Seconds after which a release that is not confirmed is asked for again. */
  private static final double ASK_AGAIN_S = 5;

  /**
   * Seconds of releasing, and then of asking, after which we give up and say that instances may
   * still be billed.
   */
  private static final double GIVE_UP_S = 180;

  /** Seconds from one event to the next that tell that the clock has leapt, or a machine slept. */
  private static final double LEAP_S = 60;

  private Closing() {}

  /** Goes on to releasing, asking and finishing as soon as the step before is done. */
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
      draft.ending(draft.ending().releasing(draft.now)); // the answer has a time of its own
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
      draft.ending(draft.ending().because(13, "deadline missed, all else done"));
    }
  }

  /** Does not wait for attempts any longer: they end with their instances. */
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
        draft.release(lease, "the run ends");
      }
    }
  }

  private static void ask(Draft draft) {
    draft.ending(draft.ending().listing(draft.now));
    draft.command(new Command.ListInstances());
  }

  /** The cloud's answer: nothing left, or release that too and ask again. */
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
        draft.note("release", instance.lease() + ": listed, and not known to be ours", Map.of());
      }
    }
  }

  /**
   * Takes account of a clock that leaps, or is put right by what is told: in that time nobody has
   * asked anything.
   */
  static void look(Draft draft) {
    if (isClosing(draft) && Seconds.between(draft.before, draft.now) > LEAP_S) {
      draft.ending(draft.ending().releasing(draft.now));
    }
  }

  private static boolean isClosing(Draft draft) {
    return draft.phase() == RunState.Phase.RELEASING || draft.phase() == RunState.Phase.VERIFYING;
  }

  /** Asks again for what is not confirmed, and gives up in the end. */
  static void tick(Draft draft) {
    if (!isClosing(draft)) {
      return;
    }
    double releasing = Seconds.between(draft.ending().releaseSince().orElse(draft.now), draft.now);
    if (releasing > GIVE_UP_S) {
      int left = Math.max(draft.ending().instancesLeft(), unconfirmed(draft));
      draft.ending(draft.ending().because(20, "clean-up is not confirmed"));
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
    draft.command(new Command.Finish(draft.ending().exitCode(), instancesLeft));
  }
}
