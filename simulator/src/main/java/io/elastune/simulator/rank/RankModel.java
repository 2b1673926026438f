package io.elastune.simulator.rank;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Word;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.LearningCurves;
import java.util.Optional;

/**
 * The order of the trials in each rung, which is unknown at plan time (docs/searches.md,
 * "Prediction"). Only ranks matter, so any continuous metric gives the same prediction.
 *
 * @param order whether ranks are sampled or given
 * @param correlation of the metrics of a trial in two rungs, if ranks are sampled
 * @param curves learning curves, from which the metrics and durations of trials are taken instead
 */
public record RankModel(Order order, double correlation, Optional<LearningCurves> curves) {
  /** Ranks are sampled with the assumed correlation. */
  public static final RankModel ASSUMED = sampled(RungRule.ASSUMED_RANK_CORRELATION);

  /** The first trial is always the best one. */
  public static final RankModel FIRST_BEST = new RankModel(Order.FIRST_BEST, 1, Optional.empty());

  /** The last trial is always the best one, so that every trial is promoted too early. */
  public static final RankModel LAST_BEST = new RankModel(Order.LAST_BEST, 1, Optional.empty());

  /** Where the order of trials comes from. */
  public enum Order implements Word {
    SAMPLED,
    FIRST_BEST,
    LAST_BEST
  }

  public RankModel {
    Preconditions.that(
        correlation >= 0 && correlation <= 1, "correlation must be 0 to 1, not " + correlation);
  }

  /** Returns a model with sampled ranks. */
  public static RankModel sampled(double correlation) {
    return new RankModel(Order.SAMPLED, correlation, Optional.empty());
  }

  /** Returns a model with the measured correlation of a problem, or the assumed one. */
  public static RankModel of(Problem problem) {
    return sampled(problem.expectedRankCorrelation());
  }

  /** Returns a model with the metrics and durations of learning curves. */
  public static RankModel recorded(LearningCurves curves) {
    return new RankModel(Order.FIRST_BEST, 1, Optional.of(curves));
  }

  /** Whether a prediction with these metrics ends when a trial reports the target of the search. */
  public boolean endsAtTarget(Problem problem) {
    return curves.isPresent() && problem.workload().target().isPresent();
  }

  /** Returns whether ranks differ between samples. */
  public boolean varies() {
    return order == Order.SAMPLED && curves.isEmpty();
  }
}
