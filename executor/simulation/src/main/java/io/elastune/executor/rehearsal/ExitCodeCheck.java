package io.elastune.executor.rehearsal;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.simulation.BillingMeter;
import io.elastune.executor.simulation.GroundTruth;

/** Checks a run's exit code against the ground truth. */
final class ExitCodeCheck {
  /** A run may stop at its budget only after this fraction of it is billed. */
  private static final double MIN_BILLED_FRACTION = 0.9;

  /** A run may end for lack of capacity only after a refusal, or this many losses. */
  private static final int MIN_LOSSES = 5;

  /** A run may end because no node becomes ready only after this many failed. */
  private static final int MIN_FAILED_NODES = 3;

  /** Receives the violations. */
  interface ViolationListener {
    void violated(InvariantViolation.Invariant invariant, int count, String what);
  }

  /** Tolerated rounding difference between two equal times, in seconds. */
  private static final double ROUNDING_S = 1e-3;

  private final RunDefinition definition;
  private final GroundTruth groundTruth;
  private final ViolationListener violationListener;

  ExitCodeCheck(
      RunDefinition definition, GroundTruth groundTruth, ViolationListener violationListener) {
    this.definition = definition;
    this.groundTruth = groundTruth;
    this.violationListener = violationListener;
  }

  /**
   * Checks a run that has ended. The run may misjudge the deadline by {@code clockOffS}, the error
   * of its controller's clock.
   *
   * @param limitUsd the budget or spending guard of the run; infinite if it has none
   */
  void check(RunState state, double limitUsd, double completedS, double clockOffS) {
    if (state.phase() != RunState.Phase.FINISHED) {
      wrong("the run never ended; its phase was " + state.phase());
      return;
    }
    int exit = state.ending().exitCode();
    if (state.ending().isFor(ReasonCode.STOPPED_AT_DEADLINE)) {
      stoppedAtDeadline(state, completedS, ROUNDING_S + clockOffS);
    } else {
      checkOutcome(state, limitUsd, completedS, clockOffS);
    }
    if (state.ending().outcome() != RunOutcome.CLEANUP_UNCONFIRMED) {
      check(
          groundTruth.aliveCount() == 0,
          "ended with " + exit + " while " + groundTruth.aliveCount() + " instances were alive");
    }
  }

  /** The controller stops the run by its own clock. */
  private void stoppedAtDeadline(RunState state, double completedS, double toleranceS) {
    double deadlineS = definition.deadlineOrInfinityS();
    check(state.elapsedS() >= deadlineS, "stopped before the deadline");
    check(
        Double.isNaN(completedS) || completedS >= deadlineS - toleranceS,
        "stopped at the deadline, but everything had ended before it");
  }

  private void checkOutcome(RunState state, double limitUsd, double completedS, double clockOffS) {
    int exit = state.ending().exitCode();
    switch (state.ending().outcome()) {
      case COMPLETED, DEADLINE_MISSED -> completed(exit, completedS, ROUNDING_S + clockOffS);
      case BUDGET_REACHED -> atBudget(state, limitUsd, clockOffS);
      case NO_CAPACITY ->
          check(
              groundTruth.refusalCount() > 0
                  || groundTruth.lostCount() + groundTruth.failedNodeCount() >= MIN_LOSSES,
              "ended for lack of capacity, but no request was refused, and few instances were"
                  + " lost");
      case TRIALS_FAILED ->
          check(
              state.ending().isFor(ReasonCode.NO_NODE_READY)
                  ? groundTruth.failedNodeCount() >= MIN_FAILED_NODES
                  : groundTruth.training().maxFailedAttempts() > definition.maxFailures()
                      || state.ending().isFor(ReasonCode.NO_RESULT_IN_TIME),
              "ended because no trial succeeded or no node became ready, but no trial exceeded its"
                  + " maximum of failures, and few nodes failed");
      case CLEANUP_UNCONFIRMED ->
          check(groundTruth.aliveCount() > 0, "cleanup not confirmed, but no instance is left");
      default -> wrong("ended with " + exit); // nothing in a rehearsal causes it
    }
  }

  /**
   * A run may stop early by the minimum charge of the next groups' instances, which includes the
   * time for checkpoints. It must also assume that instances were in use during clock errors, while
   * it had no controller, and while the cloud did not execute their release, that trials use them
   * until it has received their ends, and that they run since their request until it has received
   * their start. With {@code finish-group} it stops before a group whose forecast exceeds the
   * budget, however little is billed.
   */
  private void atBudget(RunState state, double budget, double clockOffS) {
    if (state.ending().isFor(ReasonCode.STOPPED_AT_BUDGET_BEFORE_GROUP)) {
      return;
    }
    double next =
        definition.workload().chains().stream()
            .mapToDouble(chain -> maxGroupMinimumUsd(chain, state))
            .sum();
    double awayS = groundTruth.withoutControllerS();
    double uncertainS = awayS + Math.max(clockOffS, awayS > 0 ? ClockError.MOST_S : 0);
    double uncertainUsd =
        uncertainS / Billing.SECONDS_PER_HOUR * groundTruth.peakUsdPerHour()
            + groundTruth.delayedReleaseUsd()
            + groundTruth.unknownUsd();
    check(
        groundTruth.costUsd() + next + uncertainUsd >= MIN_BILLED_FRACTION * budget,
        "stopped at the budget of " + budget + " with " + groundTruth.costUsd() + " USD billed");
  }

  private double maxGroupMinimumUsd(Chain chain, RunState state) {
    return chain.groups().stream()
        .map(group -> state.allocation(definition, group))
        .mapToDouble(a -> a.instances() * leastUsd(definition.offer(a.offer())))
        .max()
        .orElse(0);
  }

  private double leastUsd(Offer offer) {
    return BillingMeter.leastUsd(offer, definition.graceS())
        + definition.graceS() / Billing.SECONDS_PER_HOUR * offer.diskUsdPerHour();
  }

  private void completed(int exit, double completedS, double toleranceS) {
    check(!Double.isNaN(completedS), "ended with " + exit + " before the last group had ended");
    double deadlineS = definition.deadlineOrInfinityS();
    if (exit == 0) {
      double latestS = deadlineS + toleranceS + definition.deadlineToleranceS();
      check(completedS <= latestS, "ended with 0 after the deadline");
    } else {
      check(completedS >= deadlineS - toleranceS, "ended with 13, but the deadline was met");
    }
  }

  private void check(boolean condition, String violation) {
    if (!condition) {
      wrong(violation);
    }
  }

  private void wrong(String what) {
    violationListener.violated(InvariantViolation.Invariant.WRONG_EXIT, 1, what);
  }
}
