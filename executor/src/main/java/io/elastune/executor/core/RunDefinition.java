package io.elastune.executor.core;

import io.elastune.core.Check;
import io.elastune.core.IntRange;
import io.elastune.core.billing.RunningCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
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
 * @param offers by name: those that the plan uses, and others to which it may be changed
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
 * @param planning what the rest can be planned anew with; empty for a run that keeps to its plan
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
    RunningCosts running,
    Optional<Planning> planning) {
  /**
   * What a plan can be made with, beside the offers.
   *
   * @param profiles by GPU model
   * @param gpusPerTrial the sizes that the user allows
   * @param limits what a plan must keep; deadline and budget are the definition's own
   * @param seed root of the named random streams
   */
  public record Planning(
      Map<String, Profile> profiles, IntRange gpusPerTrial, Limits limits, long seed) {
    public Planning {
      profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
    }
  }

  /**
   * What the plan predicts of one group.
   *
   * @param seconds mean length
   * @param usd mean cost
   */
  public record Forecast(double seconds, double usd) {
    Forecast times(double dearer) {
      return new Forecast(seconds, usd * dearer);
    }
  }

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

  /** A run that keeps to its plan, come what may. */
  public RunDefinition(
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
    this(
        run,
        workload,
        plan,
        offers,
        metric,
        maxFailures,
        budget,
        budgetLeftUsd,
        deadlineS,
        deadlineMiss,
        forecasts,
        watchdogS,
        graceS,
        running,
        Optional.empty());
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
        running,
        planning);
  }

  /** The same with other offers, or with the same at other prices; forecasts are made to fit. */
  public RunDefinition withOffers(Map<String, Offer> others) {
    Map<String, Forecast> forecastsNow = new LinkedHashMap<>();
    forecasts.forEach((group, was) -> forecastsNow.put(group, was.times(dearer(group, others))));
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
        forecastsNow,
        watchdogS,
        graceS,
        running,
        planning);
  }

  /** How many times as dear as before the plan's instances of a group are by {@code others}. */
  private double dearer(String group, Map<String, Offer> others) {
    return Optional.ofNullable(plan.allocations().get(group))
        .map(allocation -> offer(allocation.offer()))
        .filter(was -> was.usdPerHour() > 0 && others.containsKey(was.name()))
        .map(was -> others.getOrDefault(was.name(), was).usdPerHour() / was.usdPerHour())
        .orElse(1.0);
  }

  /** The same, but its plan is kept to, come what may: no offer is known that it does not use. */
  public RunDefinition withoutReplanning() {
    Map<String, Offer> used = new LinkedHashMap<>();
    plan.allocations().values().forEach(one -> used.put(one.offer(), offer(one.offer())));
    return new RunDefinition(
        run,
        workload,
        plan,
        used,
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

  /** Whether the run stops where its budget is reached, if it has one. */
  public boolean stopsAtBudget() {
    return budget.map(Budget::onReach).orElse(Budget.OnReach.STOP) == Budget.OnReach.STOP;
  }

  /** How {@code offer} trains; empty for a run that keeps to its plan. */
  public Optional<Profile> profile(Offer offer) {
    return planning.flatMap(with -> Optional.ofNullable(with.profiles().get(offer.gpu())));
  }

  /** The offer of that name; no plan uses another. */
  public Offer offer(String name) {
    Offer offer = offers.get(name);
    if (offer == null) {
      throw new IllegalArgumentException("no offer " + name);
    }
    return offer;
  }
}
