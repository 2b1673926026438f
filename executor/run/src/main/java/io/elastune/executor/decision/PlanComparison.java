package io.elastune.executor.decision;

import io.elastune.core.job.Preference;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.Optional;

/**
 * Compares a new plan with the present one. A new plan is better if it meets a deadline which the
 * present plan would miss, and never if it is less likely to meet the deadline by the same
 * forecast. Otherwise it must be better by more than the error of the two predictions. The
 * predictions include what the switch costs: boots, minimum billing and restarted trials.
 */
final class PlanComparison {
  /** The fraction of the deadline by which a run must be late to return to its approved plan. */
  private static final double HOPELESS_FRACTION = 0.1;

  private static final double SAME_S = 1e-3;

  /**
   * The fraction of the spare budget that may be spent on a deadline that is not certain to be met.
   */
  private static final double RISK_FRACTION = 0.25;

  /**
   * The factor of that fraction for each plan adopted before that cost more: its prediction was too
   * optimistic, since the run needs help again.
   */
  private static final double TRUST = 0.75;

  private final Transition transition;
  private final ReplanResponse.Prediction stay;
  private final boolean movesTasks;

  /**
   * Creates the comparison with the present plan, whose prediction is {@code stay}.
   *
   * @param movesTasks whether the new plan moves the last tasks of a search made of rungs, which is
   *     done to save costs
   */
  PlanComparison(Transition transition, ReplanResponse.Prediction stay, boolean movesTasks) {
    this.transition = transition;
    this.stay = stay;
    this.movesTasks = movesTasks;
  }

  /**
   * Returns whether the run should switch to another plan.
   *
   * @param code the reason for its changes
   * @param isApproved whether it is the plan that was approved before the start
   */
  boolean isBetter(ReplanResponse.Prediction move, ReasonCode code, boolean isApproved) {
    if (move.hope().compareTo(stay.hope()) < 0) {
      return false; // whatever it saves: the present plan is more likely to meet the deadline
    }
    double spent = Ledger.of(transition.definition, transition.snapshot()).spentUsd();
    double saved = stay.costUsd() - move.costUsd();
    boolean cheaper =
        saved > ReplanResponse.MIN_GAIN_FRACTION * Math.max(0, stay.costUsd() - spent);
    if (!move.inBudget() && transition.definition.stopsAtBudget()) {
      return !stay.inBudget() && cheaper; // gets further before the budget is reached
    }
    if (move.hope() != ReplanResponse.DeadlineOutlook.LATE && isReckless(move, code)) {
      return false;
    }
    if (move.hope() != stay.hope()) {
      return true;
    }
    if (move.inBudget() != stay.inBudget()) {
      return move.inBudget();
    }
    double now = transition.elapsedS();
    boolean sooner =
        stay.completionS() - move.completionS()
            > ReplanResponse.MIN_GAIN_FRACTION * Math.max(0, stay.completionS() - now);
    boolean isUncertain = move.hope() == ReplanResponse.DeadlineOutlook.LIKELY;
    Optional<Preference> preference =
        transition.definition.planning().flatMap(RunDefinition.Planning::prefer);
    if (preference.isPresent()
        && move.hope() == ReplanResponse.DeadlineOutlook.ON_TIME
        && !movesTasks) {
      return new RestComparison(
              Math.max(0, stay.completionS() - now),
              Math.max(0, stay.costUsd() - spent),
              Math.max(0, move.completionS() - now),
              Math.max(0, move.costUsd() - spent))
          .isBetter(preference.get());
    }
    boolean forSpeed = isUncertain || (transition.definition.deadlineS().isEmpty() && !movesTasks);
    boolean noLater = move.completionS() <= stay.completionS() + SAME_S;
    // A missed deadline justifies no additional cost, and a saving no additional delay, except that
    // of the approved plan.
    return forSpeed
        ? sooner
        : cheaper
            && (move.hope() != ReplanResponse.DeadlineOutlook.LATE
                || noLater
                || (isApproved && isHopeless()));
  }

  private boolean isHopeless() {
    double deadlineS = transition.definition.deadlineOrInfinityS();
    return stay.completionS() > (1 + HOPELESS_FRACTION) * deadlineS;
  }

  /**
   * Whether the gain would take more of the spare budget than its certainty justifies. Leaving spot
   * capacity is a change of the rates, which says nothing about the plans before it.
   */
  private boolean isReckless(ReplanResponse.Prediction move, ReasonCode code) {
    boolean leavesSpot = code == ReasonCode.SPOT_LEFT;
    int rescues = leavesSpot ? 0 : transition.steering().rescues();
    boolean isSure =
        move.hope() == ReplanResponse.DeadlineOutlook.ON_TIME
            && (leavesSpot || isOnTimeWithDelay(move));
    if (isSure && rescues == 0) {
      return false;
    }
    double fraction = (isSure ? 1 : RISK_FRACTION) * Math.pow(TRUST, rescues);
    double spare = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    return move.costUsd() - stay.costUsd() > fraction * Math.max(0, spare - stay.costUsd());
  }

  /** Whether a plan meets the deadline if its rest is delayed as much as the run so far. */
  private boolean isOnTimeWithDelay(ReplanResponse.Prediction move) {
    return !transition.definition.requestsAfterChanges()
        || transition.steering().delay().delayedS(move.completionS())
            <= transition.definition.deadlineOrInfinityS();
  }
}
