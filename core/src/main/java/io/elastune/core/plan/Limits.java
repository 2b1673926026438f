package io.elastune.core.plan;

import io.elastune.core.Check;
import io.elastune.core.offer.Quota;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a plan must keep. Inclusive.
 *
 * @param deadlineS seconds from the start of the plan, if any
 * @param budgetUsd dollars for the plan, if any
 * @param confidence the probability with which each must be kept
 * @param maxInstances instances at any time, all chains together
 * @param maxUsdPerHour price of all instances at any time; infinite when not given
 * @param quotas what the account may hold at any time of groups of offers
 */
public record Limits(
    OptionalDouble deadlineS,
    OptionalDouble budgetUsd,
    double confidence,
    int maxInstances,
    double maxUsdPerHour,
    List<Quota> quotas) {
  public Limits {
    Check.fraction("confidence", confidence);
    Check.atLeast("max_instances", 1, maxInstances);
    Check.that(maxUsdPerHour > 0, "max_hourly_usd must be above 0, not " + maxUsdPerHour);
    quotas = List.copyOf(quotas);
  }

  /** Limits without quotas. */
  public Limits(
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd,
      double confidence,
      int maxInstances,
      double maxUsdPerHour) {
    this(deadlineS, budgetUsd, confidence, maxInstances, maxUsdPerHour, List.of());
  }

  /** The same but for deadline and budget. */
  public Limits within(OptionalDouble otherDeadlineS, OptionalDouble otherBudgetUsd) {
    return new Limits(
        otherDeadlineS, otherBudgetUsd, confidence, maxInstances, maxUsdPerHour, quotas);
  }

  /** Whether a plan of which a fraction of samples was on time and in budget keeps both. */
  public boolean keptBy(double onTime, double inBudget) {
    return onTime >= confidence && inBudget >= confidence;
  }
}
