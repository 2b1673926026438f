package io.elastune.core.faults;

import io.elastune.core.Preconditions;
import java.util.Locale;

/**
 * A rate at which faults occur, with its origin.
 *
 * @param value a probability, or a number per hour; the field that contains the rate says which
 * @param source who measured it, and when; {@link #ASSUMED} if it was not measured
 * @param evidence the number of observed cases or hours that it is based on; 0 if unknown
 */
public record FaultRate(double value, String source, double evidence) {
  /** The source of a rate that was not measured. */
  public static final String ASSUMED = "assumption";

  /** An example of a probability with its source, as in a file. */
  static final String PROBABILITY = "{value: 0.02, source: run history, evidence: 400}";

  /** An example of a rate per hour with its source, as in a file. */
  static final String PER_HOUR = "{value: 0.0003, source: run history, evidence: 9000}";

  /** No faults of this type. */
  public static final FaultRate NONE = new FaultRate(0, "none", 0);

  public FaultRate {
    Preconditions.notNegative("value", value);
    Preconditions.text("source", source);
    Preconditions.notNegative("evidence", evidence);
  }

  /** Returns a rate that was not measured. */
  public static FaultRate assumed(double value) {
    return new FaultRate(value, ASSUMED, 0);
  }

  /**
   * Returns the rate per hour after {@code cases} in {@code hours} of the user's own instances
   * ({@link LossRateEstimate}; docs/reliability.md, "Learned rates").
   *
   * @param origin where these instances ran, such as {@code own runs}
   */
  FaultRate withObserved(int cases, double hours, String origin) {
    Preconditions.notNegative("hours", hours);
    if (value == 0 || hours == 0) {
      return this;
    }
    String own = String.format(Locale.ROOT, "%s: %d in %.0f h", origin, cases, hours);
    return new FaultRate(
        LossRateEstimate.of(value, cases, hours), source + "; " + own, evidence + hours);
  }

  /**
   * Returns the probability after {@code cases} of {@code trials} of the user's own: the mean of
   * the posterior for a beta prior with this mean (docs/reliability.md, "Learned rates").
   *
   * @param origin where they ran, such as {@code own runs}
   */
  FaultRate withObservedShare(int cases, int trials, String origin) {
    if (value == 0 || trials == 0) {
      return this;
    }
    String own = String.format(Locale.ROOT, "%s: %d of %d", origin, cases, trials);
    double learned = LossRateEstimate.share(value, cases, trials);
    return new FaultRate(
        Math.min(MOST_PROBABILITY, learned), source + "; " + own, evidence + trials);
  }

  /** Returns the rate per hour of the faults of several runs together. */
  FaultRate ofRuns(int runs) {
    return new FaultRate(runs * value, source, evidence);
  }

  /** Returns the probability that the fault occurs in any of several runs. */
  FaultRate inAnyOf(int runs) {
    double any = -Math.expm1(runs * Math.log1p(-value));
    return new FaultRate(Math.min(MOST_PROBABILITY, any), source, evidence);
  }

  /** The largest probability of a fault: a request or boot must succeed in the end. */
  static final double MOST_PROBABILITY = 0.95;

  static FaultRate checkedProbability(String field, FaultRate rate) {
    Preconditions.that(
        rate.value() <= MOST_PROBABILITY, field + " must be at most " + MOST_PROBABILITY);
    return rate;
  }
}
