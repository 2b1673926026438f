package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Quota;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The limits that a plan must meet. All are inclusive.
 *
 * @param deadlineS latest completion, in seconds from the start of the plan; empty without a
 *     deadline
 * @param budgetUsd highest cost of the plan in USD; empty without a budget
 * @param confidence the probability with which deadline and budget must each be met
 * @param maxInstances maximum number of instances at any time, all chains together
 * @param maxUsdPerHour maximum price of all instances at any time; infinite if not given
 * @param quotas the account's quotas on groups of offers
 */
@RecordBuilder
public record Limits(
    OptionalDouble deadlineS,
    OptionalDouble budgetUsd,
    double confidence,
    int maxInstances,
    double maxUsdPerHour,
    List<Quota> quotas) {
  public Limits {
    Preconditions.fraction("confidence", confidence);
    Preconditions.atLeast("max_instances", 1, maxInstances);
    Preconditions.that(maxUsdPerHour > 0, "max_hourly_usd must be above 0, not " + maxUsdPerHour);
    quotas = List.copyOf(quotas);
  }

  /** Creates limits without quotas. */
  public Limits(
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd,
      double confidence,
      int maxInstances,
      double maxUsdPerHour) {
    this(deadlineS, budgetUsd, confidence, maxInstances, maxUsdPerHour, List.of());
  }

  /** Returns the deadline in seconds from the start of the plan; infinite without a deadline. */
  public double deadlineOrInfinityS() {
    return deadlineS.orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns the budget in USD; infinite without a budget. */
  public double budgetOrInfinityUsd() {
    return budgetUsd.orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns these limits with additional quotas. */
  public Limits withQuotas(List<Quota> more) {
    List<Quota> all = new ArrayList<>(quotas);
    all.addAll(more);
    return LimitsBuilder.builder(this).quotas(all).build();
  }

  /** Returns these limits with another deadline and budget. */
  public Limits within(OptionalDouble otherDeadlineS, OptionalDouble otherBudgetUsd) {
    return LimitsBuilder.builder(this).deadlineS(otherDeadlineS).budgetUsd(otherBudgetUsd).build();
  }
}
