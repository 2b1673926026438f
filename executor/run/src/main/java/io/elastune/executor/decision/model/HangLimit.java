package io.elastune.executor.decision.model;

import io.elastune.core.plan.SilenceLimit;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The times after which an attempt counts as hung (docs/trial-protocol.md, "Hung trials"). The
 * trial protocol requires only the report for the last unit, so both times depend on all units that
 * the attempt still has to train.
 *
 * @param predicted the duration by the profile; empty if no profile predicts it
 * @param silenceS the user's limit in seconds without a sign of life; empty for the one that
 *     follows from the prediction
 * @param reportS where nothing is predicted, the limit in seconds without a report; empty for none
 */
public record HangLimit(
    Optional<TrialDuration> predicted, OptionalDouble silenceS, OptionalDouble reportS) {
  /**
   * An attempt without a report counts as hung after this multiple of its predicted time, whatever
   * signs of life it shows: a busy loop uses the CPU for ever.
   */
  private static final double REPORT_FACTOR = 10;

  private static final double MIN_REPORT_S = 300;

  /** Deviations up to this number of standard deviations are attributed to chance. */
  private static final double STANDARD_DEVIATIONS = 6;

  /**
   * The two times in seconds.
   *
   * @param silenceS maximum time without a sign of life
   * @param reportS maximum time without a report; infinite for none
   */
  public record Times(double silenceS, double reportS) {}

  /** Returns a limit of {@code seconds} without a report. */
  public static HangLimit fixed(double seconds) {
    OptionalDouble limit = OptionalDouble.of(seconds);
    return new HangLimit(Optional.empty(), limit, limit);
  }

  /** Returns the same limit for trials with another predicted duration. */
  HangLimit with(TrialDuration other) {
    return new HangLimit(Optional.of(other), silenceS, reportS);
  }

  /**
   * Returns the times for an attempt; empty if it never counts as hung.
   *
   * @param units the units until its last report is due
   * @param starting whether it has not reported yet, so that its start-up may be under way
   * @param pace the measured ratio of training time to the profile; a ratio below 1 does not count
   */
  public Optional<Times> times(int units, boolean starting, double pace) {
    if (predicted.isEmpty()) {
      double least = silenceS.orElse(Double.POSITIVE_INFINITY);
      return silenceS.isPresent() || reportS.isPresent()
          ? Optional.of(new Times(least, reportS.orElse(Double.POSITIVE_INFINITY)))
          : Optional.empty();
    }
    TrialDuration duration = predicted.get();
    double slower = Math.max(1, pace);
    double mean = units * duration.unitS() * slower + (starting ? duration.startupS() : 0);
    double variance =
        duration.varianceS2(units) * slower * slower
            + (starting ? duration.startupVarianceS2() : 0);
    double spread = STANDARD_DEVIATIONS * Math.sqrt(variance);
    double silence = new SilenceLimit(silenceS).afterS(mean, spread);
    double report = Math.max(MIN_REPORT_S, REPORT_FACTOR * mean + spread);
    return Optional.of(new Times(silence, Math.max(silence, report)));
  }
}
