package io.elastune.executor.replan;

import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import java.util.Comparator;

/** Orders new plans of a run. */
final class MoveOrder {
  private MoveOrder() {}

  /**
   * Orders plans from worst to best: by the limits that they meet, then by cost, or by completion
   * time where the deadline is not certain.
   *
   * @param isTimed whether completion time counts in any case
   */
  static Comparator<Move> of(boolean isTimed) {
    return Comparator.comparing((Move move) -> move.prediction().inBudget())
        .thenComparing(move -> move.prediction().hope())
        .thenComparing(
            move ->
                isTimed || move.prediction().hope() == DeadlineOutlook.LIKELY
                    ? -move.prediction().completionS()
                    : -move.prediction().costUsd());
  }
}
