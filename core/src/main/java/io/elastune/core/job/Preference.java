package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Word;
import java.math.BigDecimal;

/**
 * Which of the plans that meet the limits is preferred.
 *
 * @param hourWorthUsd what it is worth to complete an hour earlier, for {@link Rule#HOUR_WORTH};
 *     otherwise 0
 */
public record Preference(Rule rule, double hourWorthUsd) {
  public static final Preference CHEAPEST = new Preference(Rule.CHEAPEST, 0);
  public static final Preference BALANCED = new Preference(Rule.BALANCED, 0);
  public static final Preference FASTEST = new Preference(Rule.FASTEST, 0);

  private static final double SECONDS_PER_HOUR = 3600;

  /** How plans are compared. */
  public enum Rule implements Word {
    /** By cost. */
    CHEAPEST,
    /** By what they gain, see docs/planner.md. */
    BALANCED,
    /** By completion time. */
    FASTEST,
    /** By cost and the price of an hour. */
    HOUR_WORTH
  }

  public Preference {
    Preconditions.that(
        (rule == Rule.HOUR_WORTH) == (hourWorthUsd > 0),
        "hour_worth_usd must be above 0, not " + hourWorthUsd);
  }

  /** Returns the preference of a user to whom an hour is worth so much. */
  public static Preference hourWorth(double usd) {
    return new Preference(Rule.HOUR_WORTH, usd);
  }

  /**
   * Returns the preference of a job that states none: the fastest plan if nothing is charged; with
   * a deadline the cheapest one that meets it, and otherwise a compromise.
   */
  public static Preference byDefault(boolean hasDeadline, boolean isCharged) {
    if (!isCharged) {
      return FASTEST;
    }
    return hasDeadline ? CHEAPEST : BALANCED;
  }

  /** Returns the cost of a plan, with the price of its time for {@link Rule#HOUR_WORTH}. */
  public double valueUsd(double seconds, double usd) {
    return usd + hourWorthUsd * seconds / SECONDS_PER_HOUR;
  }

  /** Returns the value as in a job file. */
  public String text() {
    return rule == Rule.HOUR_WORTH
        ? "{hour_worth_usd: "
            + BigDecimal.valueOf(hourWorthUsd).stripTrailingZeros().toPlainString()
            + "}"
        : rule.word();
  }
}
