package io.elastune.simulator.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.AssumedCurve;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.rank.RankModel;
import java.util.function.Supplier;

/**
 * The losses that trials report after each unit: those of learning curves, or of an {@link
 * AssumedCurve} towards a quality that is drawn for each trial, or for each of its rungs.
 */
public interface LossDraws {
  /** The losses of the trials in one sample. */
  interface Sampled {
    /** Returns the loss that a trial reports after a unit: less is better. */
    double loss(int trial, int unit);
  }

  /** Returns the losses in a sample. */
  Sampled of(int sample);

  /** Losses that no decision depends on. */
  static LossDraws none() {
    return sample -> (trial, unit) -> Double.NaN;
  }

  /**
   * Opens the losses under {@code ranks}; not thread-safe.
   *
   * @param qualities the quality of each trial: a uniform draw
   * @param isMinimized whether less is better in the metric
   */
  static LossDraws of(RankModel ranks, DrawTable qualities, boolean isMinimized) {
    return of(ranks, qualities.width(), isMinimized, () -> each(qualities, isMinimized));
  }

  /**
   * Opens the losses under {@code ranks} in a search made of rungs, where the quality of a trial
   * differs between rungs (docs/searches.md, "Prediction"); not thread-safe.
   *
   * @param normals the draws from which the qualities follow
   * @param isMinimized whether less is better in the metric
   */
  static LossDraws ofRungs(
      RankModel ranks, RungRule rule, RungLosses.Tables normals, boolean isMinimized) {
    Supplier<LossDraws> drawn =
        () -> {
          RungLosses losses = new RungLosses(ranks.correlation(), normals);
          return sample -> {
            losses.select(sample);
            return (trial, unit) ->
                loss(AssumedCurve.quality(losses.of(trial, rule.rungAt(unit))), unit, isMinimized);
          };
        };
    return of(ranks, rule.trials(), isMinimized, drawn);
  }

  private static LossDraws each(DrawTable qualities, boolean isMinimized) {
    DrawReader reader = new DrawReader(qualities);
    return sample -> {
      int first = reader.offset(sample) - 1;
      double[] drawn = reader.values();
      return (trial, unit) -> loss(drawn[first + trial], unit, isMinimized);
    };
  }

  private static LossDraws of(
      RankModel ranks, int trials, boolean isMinimized, Supplier<LossDraws> sampled) {
    if (ranks.curves().isPresent()) {
      return sample -> ranks.curves().get()::loss;
    }
    return switch (ranks.order()) {
      case FIRST_BEST -> sample -> (trial, unit) -> loss((trial - 0.5) / trials, unit, isMinimized);
      case LAST_BEST ->
          sample -> (trial, unit) -> loss((trials - trial + 0.5) / trials, unit, isMinimized);
      case SAMPLED -> sampled.get();
    };
  }

  /**
   * @param lag how far the trial is behind the best possible one, between 0 and 1
   */
  private static double loss(double lag, int unit, boolean isMinimized) {
    return isMinimized
        ? AssumedCurve.metric(lag, unit, true)
        : -AssumedCurve.metric(1 - lag, unit, false);
  }
}
