package io.elastune.simulator;

import io.elastune.core.search.AssumedCurve;

/**
 * The losses that trials report after each unit: those of learning curves, or of an {@link
 * AssumedCurve} towards a quality that is drawn for each trial.
 */
interface LossDraws {
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
    if (ranks.curves().isPresent()) {
      return sample -> ranks.curves().get()::loss;
    }
    int trials = qualities.width();
    return switch (ranks.order()) {
      case FIRST_BEST -> sample -> (trial, unit) -> loss((trial - 0.5) / trials, unit, isMinimized);
      case LAST_BEST ->
          sample -> (trial, unit) -> loss((trials - trial + 0.5) / trials, unit, isMinimized);
      case SAMPLED -> {
        DrawReader reader = new DrawReader(qualities);
        yield sample -> {
          int first = reader.offset(sample) - 1;
          double[] drawn = reader.values();
          return (trial, unit) -> loss(drawn[first + trial], unit, isMinimized);
        };
      }
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
