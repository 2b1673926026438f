package io.elastune.executor.decision;

import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Repeats unanswered requests at fixed intervals: calls time out, and events get lost. What cannot
 * be resolved this way is released.
 */
final class RetryTimer {
  /** Minimum seconds after which a lease that is not reported as ready is queried. */
  private static final double LEAST_BOOT_S = 60;

  /**
   * The same limit as a multiple of the offer's mean queue and boot time. Until the cloud answers
   * that the instance has ended, it counts as billed.
   */
  private static final double SLOWER = 2;

  /**
   * Minimum seconds after which a lease that is not reported as launched is queried. Until then it
   * counts as running and billed, which may stop a run at its budget unnecessarily.
   */
  private static final double LEAST_QUEUE_S = 30;

  /**
   * Seconds between two queries for a lease that must answer at once or is late, or that the cloud
   * will end soon: it counts as billed until that is reported.
   */
  private static final double ANSWER_S = 30;

  /**
   * Seconds that an attempt may take to end after the request: its grace period with a margin.
   * While the run stops, its instances are released then, whatever the attempt has left: they are
   * paid.
   */
  private static final double END_S = 45;

  /** That margin, which is added to the longer grace period of an attempt that a policy ends. */
  private static final double MARGIN_S = 15;

  /** Kill requests before the instances of an attempt are released. */
  private static final int KILLS = 3;

  /**
   * When requests are due.
   *
   * @param since when their time began
   * @param firstS seconds until the first; infinite if there is none
   * @param everyS seconds between two others
   */
  private record Requests(Instant since, double firstS, double everyS) {
    static Requests every(Instant since, double everyS) {
      return new Requests(since, everyS, everyS);
    }

    /** Returns how many were due until {@code now}. */
    long until(Instant now) {
      double waited = waitedS(now);
      return waited < firstS ? 0 : 1 + (long) Math.floor((waited - firstS) / everyS);
    }

    /** Returns the seconds from {@code now} until the next; infinite if there is none. */
    double nextS(Instant now) {
      return firstS + until(now) * everyS - waitedS(now);
    }

    private double waitedS(Instant now) {
      return Math.max(0, Seconds.between(since, now));
    }
  }

  private final Transition transition;

  private RetryTimer(Transition transition) {
    this.transition = transition;
  }

  /** Sends the requests that became due since the previous event. */
  static void tick(Transition transition) {
    if (transition.now.isAfter(transition.previousTime)) {
      RetryTimer retryTimer = new RetryTimer(transition);
      for (LeaseState lease : transition.leases()) {
        retryTimer.ask(lease);
      }
      for (AttemptState attempt : transition.attempts()) {
        retryTimer.ask(attempt);
      }
    }
  }

  /**
   * Returns the seconds from {@code now} until the next query for {@code lease}; infinite if there
   * is none.
   */
  static double nextS(RunDefinition definition, LeaseState lease, Instant now) {
    return queries(definition, lease, now).nextS(now);
  }

  /**
   * Returns the seconds from {@code now} until the next request for {@code attempt}; infinite if
   * there is none.
   */
  static double nextS(RunDefinition definition, AttemptState attempt, Instant now) {
    return attempt.isBeingEnded()
        ? kills(definition, attempt).nextS(now)
        : Double.POSITIVE_INFINITY;
  }

  private static Requests kills(RunDefinition definition, AttemptState attempt) {
    return Requests.every(attempt.lastSign(), endS(definition, attempt));
  }

  private static double endS(RunDefinition definition, AttemptState attempt) {
    return switch (attempt.ending()) {
      case RESIZED, PREEMPTED -> Math.max(END_S, UnitGrace.longestS(definition) + MARGIN_S);
      default -> END_S;
    };
  }

  private static Requests queries(RunDefinition definition, LeaseState lease, Instant now) {
    return new Requests(
        lease.terminatedAt().or(lease::releasedAt).orElse(lease.requestedAt()),
        firstQueryS(definition, lease, now),
        ANSWER_S);
  }

  private static double firstQueryS(RunDefinition definition, LeaseState lease, Instant now) {
    return switch (lease.phase()) {
      case PENDING -> Math.max(LEAST_QUEUE_S, 2 * definition.offer(lease.offer()).queueS().mean());
      case BOOTING -> Math.max(LEAST_BOOT_S, SLOWER * bootS(definition.offer(lease.offer())));
      case INHERITED, RELEASING, LEAVING -> ANSWER_S;
      case READY -> lease.runningAt().isEmpty() ? ANSWER_S : Double.POSITIVE_INFINITY;
      case GONE -> lease.isUnsettled(now) ? ANSWER_S : Double.POSITIVE_INFINITY;
    };
  }

  private static double bootS(Offer offer) {
    return offer.queueS().mean() + offer.bootS().mean();
  }

  private boolean areDue(Requests requests) {
    return requests.until(transition.now) > requests.until(transition.previousTime);
  }

  private void ask(LeaseState lease) {
    if (!areDue(queries(transition.definition, lease, transition.now))) {
      return;
    }
    transition.command(
        lease.phase() == LeaseState.Phase.RELEASING
            ? new Command.ReleaseInstance(lease.lease())
            : new Command.AdoptInstance(lease.lease(), lease.offer()));
  }

  private void ask(AttemptState attempt) {
    Requests kills = kills(transition.definition, attempt);
    if (!attempt.isBeingEnded() || !areDue(kills)) {
      return;
    }
    if (transition.phase() == RunState.Phase.STOPPING) {
      transition.recordFault(
          attempt, "has not ended within its grace period; its instances are released");
      Shutdown.releaseNow(transition);
    } else if (kills.until(transition.now) <= KILLS) {
      transition.command(new Command.KillAttempt(attempt.attempt()));
    } else if (allGone(attempt)) {
      Supervisor.assumeEnded(transition, attempt);
    } else {
      giveUp(attempt);
    }
  }

  private boolean allGone(AttemptState attempt) {
    return transition.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .allMatch(lease -> lease.phase() == LeaseState.Phase.GONE);
  }

  /**
   * Releases the instances of an attempt that does not end after being killed: they cannot be
   * reached.
   */
  private void giveUp(AttemptState attempt) {
    List<LeaseState> lost =
        transition.leases().stream()
            .filter(lease -> attempt.uses(lease.lease()) && lease.held())
            .toList();
    double silence = Seconds.between(attempt.lastSign(), transition.now);
    for (LeaseState lease : lost) {
      transition.recordDecision(
          DecisionKind.LOST,
          DecisionReason.of(ReasonCode.ATTEMPT_DOES_NOT_END, lease.lease(), attempt.attempt()),
          Map.of("silence_s", silence));
    }
    LostInstances.replaceInstances(transition, lost, ReasonCode.RELEASED_LOST);
  }
}
