package io.elastune.executor.core;

import io.elastune.core.Check;
import io.elastune.core.billing.RunningCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Workload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run is about; it never changes while the run lasts. A group that starts at unit 0 takes
 * new trials, any other the best of the group before it in its chain.
 *
 * @param run the run's id
 * @param offers by name: those that the plan uses
 * @param metric what trials are ranked by
 * @param maxFailures failed attempts that a trial may have before it is dropped
 * @param budget what may be spent from now on (money that profiling took is already off), if
 *     limited; the budget's own figure is kept beside it for the screens
 * @param budgetLeftUsd dollars that this run may spend
 * @param deadlineS seconds from the run's beginning
 * @param deadlineMiss what happens once the deadline has passed
 * @param forecasts by group: what the plan predicts; empty for a measuring run
 * @param watchdogS by group: seconds without a report after which a trial counts as hung
 * @param graceS seconds that stopping trials are expected to need for their checkpoints
 * @param running what is paid by the hour from the run's beginning to its completion
 */
public record RunDefinition(
    String run,
    Workload workload,
    Plan plan,
    Map<String, Offer> offers,
    Metric metric,
    int maxFailures,
    Optional<Budget> budget,
    OptionalDouble budgetLeftUsd,
    OptionalDouble deadlineS,
    Job.DeadlineMiss deadlineMiss,
    Map<String, Forecast> forecasts,
    Map<String, Double> watchdogS,
    double graceS,
    RunningCosts running) {
  /**
   * What the plan predicts of one group.
   *
   * @param seconds mean length
   * @param usd mean cost
   */
  public record Forecast(double seconds, double usd) {}

  public RunDefinition {
    Check.text("run", run);
    offers = Collections.unmodifiableMap(new LinkedHashMap<>(offers));
    forecasts = Collections.unmodifiableMap(new LinkedHashMap<>(forecasts));
    watchdogS = Collections.unmodifiableMap(new LinkedHashMap<>(watchdogS));
    for (var group : workload.groups()) {
      Check.that(
          offers.containsKey(plan.of(group).offer()),
          "no offer " + plan.of(group).offer() + " for group " + group.name());
    }
  }

  /** The same with other limits. */
  public RunDefinition withLimits(
      Optional<Budget> otherBudget,
      OptionalDouble otherBudgetLeftUsd,
      OptionalDouble otherDeadlineS) {
    return new RunDefinition(
        run,
        workload,
        plan,
        offers,
        metric,
        maxFailures,
        otherBudget,
        otherBudgetLeftUsd,
        otherDeadlineS,
        deadlineMiss,
        forecasts,
        watchdogS,
        graceS,
        running);
  }

  /** The same with other offers, or with the same at other prices. */
  public RunDefinition withOffers(Map<String, Offer> others) {
    return new RunDefinition(
        run,
        workload,
        plan,
        others,
        metric,
        maxFailures,
        budget,
        budgetLeftUsd,
        deadlineS,
        deadlineMiss,
        forecasts,
        watchdogS,
        graceS,
        running);
  }

  /** The offer of that name; the plan uses no other. */
  public Offer offer(String name) {
    Offer offer = offers.get(name);
    if (offer == null) {
      throw new IllegalArgumentException("no offer " + name);
    }
    return offer;
  }
}
