package io.elastune.executor.replan;

import static io.elastune.core.job.Preference.Rule.CHEAPEST;
import static io.elastune.core.job.Preference.Rule.FASTEST;

import io.elastune.core.job.Preference;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.planner.api.PreferenceOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Selects a new plan of a run among those that were forecast.
 *
 * @param preference which of the plans that meet the limits is the best
 * @param movesTasks whether a plan moves the last tasks of a search made of rungs to save costs
 */
record MoveSelection(
    ReplanRequest request, Optional<Preference> preference, Predicate<Move> movesTasks) {
  private static final double SAME_S = 1e-3;

  /**
   * Returns the plan that the job prefers of those that meet all limits. If none does, the plan
   * that meets most of them: of several the cheapest, or the fastest if the deadline is not
   * certain. Without a deadline, the fastest; if none is faster than the present plan, the cheapest
   * that moves tasks.
   *
   * @param stay the prediction for the present plan, if the run can continue with it
   */
  Optional<Move> best(List<Move> moves, Optional<Prediction> stay) {
    Optional<Move> preferred = preferred(moves);
    if (preferred.isPresent()) {
      return preferred;
    }
    Optional<Move> best = moves.stream().max(order(isTimed()));
    boolean isCovered = stay.filter(Prediction::inBudget).isPresent();
    return isTimed() && isCovered && best.filter(it -> isEarlier(it, stay.get())).isEmpty()
        ? moves.stream().filter(movesTasks).max(order(false)).or(() -> best)
        : best;
  }

  /** Returns the best of the plans that end no later than the present one, or of others. */
  Optional<Move> bestNoLater(List<Move> moves, Prediction stay, List<Move> others) {
    return moves.stream()
        .filter(
            move ->
                others.contains(move)
                    || move.prediction().completionS() <= stay.completionS() + SAME_S)
        .max(order(isTimed()));
  }

  private Optional<Move> preferred(List<Move> moves) {
    List<Move> meeting =
        moves.stream()
            .filter(move -> move.prediction().inBudget())
            .filter(move -> move.prediction().hope() == DeadlineOutlook.ON_TIME)
            .toList();
    return preference
        .filter(it -> !meeting.isEmpty())
        .filter(it -> it.rule() != (isTimed() ? FASTEST : CHEAPEST))
        .map(
            it ->
                new PreferenceOrder<Move>(
                        move -> move.prediction().completionS(),
                        move -> move.prediction().costUsd(),
                        it,
                        request.deadlineS().isPresent())
                    .of(meeting)
                    .get(0));
  }

  /** Whether time counts and not cost. */
  private boolean isTimed() {
    return preference
        .map(it -> it.rule() == FASTEST)
        .orElseGet(() -> request.deadlineS().isEmpty() && request.budgetUsd().isPresent());
  }

  /** Whether a plan ends earlier by more than the error of the predictions. */
  private boolean isEarlier(Move move, Prediction stay) {
    double leastS =
        ReplanResponse.MIN_GAIN_FRACTION * Math.max(0, stay.completionS() - request.atS());
    return stay.completionS() - move.prediction().completionS() > leastS;
  }

  /**
   * Orders plans from worst to best: by the limits that they meet, then by cost, or by completion
   * time where the deadline is not certain.
   *
   * @param isTimed whether completion time counts in any case within the budget
   */
  private static Comparator<Move> order(boolean isTimed) {
    return Comparator.comparing((Move move) -> move.prediction().inBudget())
        .thenComparing(move -> move.prediction().hope())
        .thenComparing(
            move ->
                (isTimed && move.prediction().inBudget())
                        || move.prediction().hope() == DeadlineOutlook.LIKELY
                    ? -move.prediction().completionS()
                    : -move.prediction().costUsd());
  }
}
