package io.elastune.executor.decision;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailedTrialRetry;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ResumeAnswers;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.LossReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recovers a run whose controller has stopped. The state of instances and attempts in the journal
 * may be outdated. So the cloud is queried for every lease that is not confirmed as terminated, and
 * then the engine for each attempt whose instances are all confirmed. These queries launch and
 * start nothing. Missing instances are requested again under new leases.
 */
final class Recovery {
  /** Seconds in which the engine answers about an attempt that has ended. */
  private static final double ENGINE_ANSWERS_S = 30;

  private Recovery() {}

  static void resume(Transition transition, RunEvent.Resumed event) {
    boolean hadEnded = transition.phase() == RunState.Phase.FINISHED;
    transition.phase(RunState.Phase.RUNNING);
    transition.ending(transition.ending().resumed());
    transition.steering(transition.steering().resumed(transition.definition.hasSpendingGuard()));
    CapacityRetry.resume(transition, hadEnded);
    notePrices(transition);
    int asked = askOfLeases(transition);
    transition.clock(ClockError.resumed(event.at(), transition.previousTime));
    transition
        .attempts()
        .forEach(a -> transition.put(a.ending(AttemptState.EndReason.INHERITED, transition.now)));
    Set<String> leases = new TreeSet<>();
    transition.leases().forEach(lease -> leases.add(lease.lease()));
    Set<String> attempts = new TreeSet<>();
    transition.attempts().stream()
        .filter(attempt -> isUseBilled(transition, attempt))
        .forEach(attempt -> attempts.add(attempt.attempt()));
    ResumeAnswers answers = new ResumeAnswers(leases, attempts, transition.now, false);
    transition.steering(transition.steering().with(pending(transition, answers)));
    transition.command(new Command.ListInstances());
    note(transition, event, asked);
    if (event.retryFailed()) {
      retryFailed(transition);
    }
    LimitWatchdog.tick(transition);
    if (transition.running() && nothingStarted(transition)) {
      SearchStart.begin(transition);
    }
    if (transition.running()) {
      Proposals.resume(transition);
    }
    for (int chain = 0; chain < transition.chainCount() && transition.running(); chain++) {
      Scheduler.continueChain(transition, chain);
      ClusterManager.requestForRemaining(transition, chain);
    }
  }

  private static void retryFailed(Transition transition) {
    FailedTrialRetry retry = FailedTrialRetry.of(transition.snapshot());
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      transition.chain(chain, retry.state().chains().get(chain));
    }
    retry.state().trials().forEach((trial, state) -> transition.trial(trial, same -> state));
    noteTrials(transition, ReasonCode.FAILED_TRIALS_RETRIED, retry.retried());
    noteTrials(transition, ReasonCode.FAILED_TRIALS_KEPT, retry.kept());
  }

  private static void noteTrials(Transition transition, ReasonCode reason, List<Integer> trials) {
    if (!trials.isEmpty()) {
      transition.recordDecision(
          DecisionKind.RETRY,
          new DecisionReason(reason, trials.stream().map(String::valueOf).toList()),
          Map.of("trials", (double) trials.size()));
    }
  }

  /**
   * Requests a new plan if present prices differ from those of the leases. The definition has the
   * present prices.
   */
  private static void notePrices(Transition transition) {
    Set<String> moved = new TreeSet<>();
    for (LeaseState lease : transition.leases()) {
      if (lease.usdPerHour() == transition.definition.offer(lease.offer()).usdPerHour()) {
        moved.remove(lease.offer());
      } else {
        moved.add(lease.offer());
      }
    }
    moved.stream()
        .findFirst()
        .ifPresent(o -> transition.doubt(new ReplanReason(ReplanReason.Cause.PRICE_CHANGED, o)));
  }

  private static int askOfLeases(Transition transition) {
    int asked = 0;
    for (LeaseState lease : transition.leases()) {
      if (lease.phase() == LeaseState.Phase.GONE) {
        continue;
      }
      asked++;
      transition.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
      LeaseState known = lease.byEarlierClock(transition.aheadS(lease));
      if (lease.held()) {
        transition.put(known.inherited().with(lease.use().resumed(transition.aheadS(lease))));
      } else {
        transition.put(known);
        transition.command(new Command.ReleaseInstance(lease.lease()));
      }
    }
    return asked;
  }

  private static boolean nothingStarted(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      if (!transition.chain(chain).started().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static void note(Transition transition, RunEvent.Resumed event, int asked) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    double away = Seconds.between(transition.previousTime, transition.now);
    numbers.put("away_s", Math.max(0, away));
    numbers.put("unconfirmed_commands", (double) event.unconfirmed());
    numbers.put("instances_asked", (double) asked);
    numbers.put("attempts_asked", (double) transition.attempts().size());
    transition.recordDecision(
        DecisionKind.RESUME, DecisionReason.of(ReasonCode.CONTROLLER_RESUMED), numbers);
    lateness(transition);
  }

  /** Reports if the deadline is at risk: time without a controller counts toward it. */
  private static void lateness(Transition transition) {
    if (transition.definition.deadlineS().isEmpty()) {
      return;
    }
    double deadline = transition.definition.deadlineS().getAsDouble();
    double elapsed = transition.elapsedS();
    double left = Ledger.of(transition.definition, transition.snapshot()).remainingSeconds();
    double late = elapsed + left - deadline;
    if (late <= transition.definition.deadlineToleranceS() || transition.steering().atRisk()) {
      return;
    }
    transition.steering(transition.steering().withRisk(true));
    transition.recordDecision(
        DecisionKind.AT_RISK,
        DecisionReason.of(
            elapsed > deadline
                ? ReasonCode.DEADLINE_PASSED_BEFORE_RESUME
                : ReasonCode.DEADLINE_TOO_SOON_AFTER_RESUME),
        Map.of("elapsed_s", elapsed, "remaining_s", left, "deadline_s", deadline, "late_s", late));
  }

  /**
   * Handles an instance that the cloud reports as terminated, or as never launched, although it was
   * not released.
   */
  static void handleUnexpectedEnd(Transition transition, LeaseState lease) {
    ReasonCode what =
        lease.runningAt().isPresent()
            ? ReasonCode.TERMINATED_UNRELEASED
            : ReasonCode.NEVER_LAUNCHED;
    transition.recordDecision(DecisionKind.GONE, DecisionReason.of(what, lease.lease()), Map.of());
    if (lease.runningAt().isPresent()) { // the cloud gives no reason
      transition
          .lease(lease.lease())
          .ifPresent(ended -> transition.put(ended.lost(LossReason.FAILED)));
    }
    ClusterManager.requestForPool(transition, lease.pool());
  }

  /**
   * Notes which leases of earlier controllers the cloud has answered about. After the last answer,
   * requests what the budget did not allow before.
   */
  static void noteAnswers(Transition transition) {
    ResumeAnswers before = transition.steering().answers();
    if (before.equals(ResumeAnswers.COMPLETE)) {
      return;
    }
    ResumeAnswers answers = pending(transition, before);
    transition.steering(
        transition.steering().with(answers.areComplete() ? ResumeAnswers.COMPLETE : answers));
    if (answers.areComplete() && answers.requestDeferred()) {
      for (int chain = 0; chain < transition.chainCount(); chain++) {
        if (!transition.steering().market().waits().containsKey(chain)) {
          ClusterManager.requestForRemaining(transition, chain);
        }
      }
    }
  }

  /** Notes that the engine has answered about an attempt of an earlier controller. */
  static void answered(Transition transition, String attempt) {
    ResumeAnswers answers = transition.steering().answers();
    if (answers.attempts().contains(attempt)) {
      transition.steering(transition.steering().with(answers.answered(attempt)));
    }
  }

  private static boolean isUseBilled(Transition transition, AttemptState attempt) {
    return transition.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .map(lease -> transition.definition.offer(lease.offer()).billing().per())
        .anyMatch(per -> per == BillingTerms.Per.USE);
  }

  private static ResumeAnswers pending(Transition transition, ResumeAnswers answers) {
    return answers.of(
        lease -> isPending(transition, lease), attempt -> isAttemptPending(transition, attempt));
  }

  private static boolean isAttemptPending(Transition transition, String attempt) {
    return transition
        .attempt(attempt)
        .filter(
            known ->
                known.ending() == AttemptState.EndReason.INHERITED
                    || (known.ending() == AttemptState.EndReason.ADOPTED
                        && Seconds.between(known.lastSign(), transition.now) < ENGINE_ANSWERS_S))
        .isPresent();
  }

  private static boolean isPending(Transition transition, String lease) {
    return transition.lease(lease).filter(LeaseState::isUnanswered).isPresent();
  }

  /** Queries the engine for attempts as soon as the cloud has answered for their instances. */
  static void advance(Transition transition) {
    for (AttemptState attempt : transition.attempts()) {
      if (attempt.ending() == AttemptState.EndReason.INHERITED && isSettled(transition, attempt)) {
        transition.command(attempt.adoptCommand());
        if (hasAll(transition, attempt)) {
          transition.put(attempt.adopted(transition.now));
        } else {
          transition.put(attempt.ending(AttemptState.EndReason.LOST, transition.now));
          transition.command(new Command.KillAttempt(attempt.attempt()));
        }
      }
    }
  }

  private static boolean isSettled(Transition transition, AttemptState attempt) {
    return transition.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .noneMatch(LeaseState::isInherited);
  }

  private static boolean hasAll(Transition transition, AttemptState attempt) {
    return transition.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .allMatch(lease -> lease.isReady() || lease.isLeaving());
  }
}
