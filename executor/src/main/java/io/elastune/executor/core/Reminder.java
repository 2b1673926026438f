package io.elastune.executor.core;

import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.Map;

/**
 * Repeats unanswered requests at fixed intervals after the first: calls time out, and events get
 * lost. What cannot be resolved this way is released.
 */
final class Reminder {
  /** Minimum seconds after which a lease that is not reported as ready is queried. */
  private static final double LEAST_BOOT_S = 60;

  /** The same limit as a multiple of the offer's boot time. */
  private static final double SLOWER = 4;

  /**
   * Minimum seconds after which a lease that is not reported as launched is queried. Until then it
   * counts as running and billed, which may stop a run at its budget unnecessarily.
   */
  private static final double LEAST_QUEUE_S = 30;

  /** Seconds between two queries for a lease that must answer at once. */
  private static final double ANSWER_S = 30;

  /** Seconds that an attempt may take to end after the request: its grace period with a margin. */
  private static final double END_S = 45;

  /** Kill requests before the instances of an attempt are released. */
  private static final int KILLS = 3;

  private final Draft draft;

  private Reminder(Draft draft) {
    this.draft = draft;
  }

  /** Sends the requests that became due since the previous event. */
  static void tick(Draft draft) {
    if (draft.now.isAfter(draft.before)) {
      Reminder reminder = new Reminder(draft);
      for (LeaseState lease : draft.leases()) {
        reminder.ask(lease);
      }
      for (AttemptState attempt : draft.attempts()) {
        reminder.ask(attempt);
      }
    }
  }

  /**
   * Returns the seconds from {@code now} until the next query for {@code lease}; infinite if there
   * is none.
   */
  static double nextS(RunDefinition definition, LeaseState lease, Instant now) {
    return next(since(lease), every(definition, lease, now), now);
  }

  /**
   * Returns the seconds from {@code now} until the next request for {@code attempt}; infinite if
   * there is none.
   */
  static double nextS(AttemptState attempt, Instant now) {
    return attempt.isBeingEnded() ? next(attempt.lastSign(), END_S, now) : Double.POSITIVE_INFINITY;
  }

  private static double next(Instant since, double every, Instant now) {
    if (Double.isInfinite(every)) {
      return every;
    }
    double waited = Math.max(0, Seconds.between(since, now));
    return (Math.floor(waited / every) + 1) * every - waited;
  }

  private static double every(RunDefinition definition, LeaseState lease, Instant now) {
    return switch (lease.phase()) {
      case PENDING -> Math.max(LEAST_QUEUE_S, 2 * definition.offer(lease.offer()).queueS().mean());
      case BOOTING -> Math.max(LEAST_BOOT_S, SLOWER * bootS(definition.offer(lease.offer())));
      case INHERITED, RELEASING -> ANSWER_S;
      case READY, LEAVING -> lease.runningAt().isEmpty() ? ANSWER_S : Double.POSITIVE_INFINITY;
      case GONE -> lease.isUnsettled(now) ? ANSWER_S : Double.POSITIVE_INFINITY;
    };
  }

  private static double bootS(Offer offer) {
    return offer.queueS().mean() + offer.bootS().mean();
  }

  private static Instant since(LeaseState lease) {
    return lease.terminatedAt().or(lease::releasedAt).orElse(lease.requestedAt());
  }

  private boolean isDue(Instant since, double every) {
    return !Double.isInfinite(every)
        && times(since, draft.now, every) > times(since, draft.before, every);
  }

  private static long times(Instant since, Instant until, double every) {
    return (long) Math.floor(Math.max(0, Seconds.between(since, until)) / every);
  }

  private void ask(LeaseState lease) {
    if (!isDue(since(lease), every(draft.definition, lease, draft.now))) {
      return;
    }
    draft.command(
        lease.phase() == LeaseState.Phase.RELEASING
            ? new Command.ReleaseInstance(lease.lease())
            : new Command.AdoptInstance(lease.lease(), lease.offer()));
  }

  private void ask(AttemptState attempt) {
    if (!attempt.isBeingEnded() || !isDue(attempt.lastSign(), END_S)) {
      return;
    }
    if (times(attempt.lastSign(), draft.now, END_S) <= KILLS) {
      draft.command(new Command.KillAttempt(attempt.attempt()));
    } else if (allGone(attempt)) {
      Supervisor.takeForEnded(draft, attempt);
    } else {
      giveUp(attempt);
    }
  }

  private boolean allGone(AttemptState attempt) {
    return draft.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .allMatch(lease -> lease.phase() == LeaseState.Phase.GONE);
  }

  /**
   * Releases the instances of an attempt that does not end after being killed: they cannot be
   * reached.
   */
  private void giveUp(AttemptState attempt) {
    for (LeaseState lease : draft.leases()) {
      if (attempt.uses(lease.lease()) && lease.held()) {
        double silence = Seconds.between(attempt.lastSign(), draft.now);
        draft.note(
            DecisionKind.LOST,
            lease.lease() + " LOST_CONTACT: attempt " + attempt.attempt() + " does not end",
            Map.of("silence_s", silence));
        ClusterManager.giveUp(draft, lease, ClusterManager.LOST);
      }
    }
  }
}
