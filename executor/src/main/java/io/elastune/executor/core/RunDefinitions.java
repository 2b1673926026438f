package io.elastune.executor.core;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the definition of a run of a plan and what it is predicted to take. */
public final class RunDefinitions {
  /** A trial is hung after this many times the start-up and unit that its profile predicts. */
  private static final double PATIENCE = 10;

  /** The least silence, in seconds, after which a trial counts as hung. */
  private static final double LEAST_PATIENCE_S = 20;

  /** Seconds that a stopped trial is expected to take where its checkpoints were not measured. */
  private static final double LEAST_GRACE_S = 5;

  /** The trial protocol gives a stopped trial no more seconds than this. */
  private static final double MOST_GRACE_S = 30;

  /** Checkpoints are expected to take at most this many times their measured mean. */
  private static final double CHECKPOINTS_SLOWER = 3;

  private RunDefinitions() {}

  /**
   * The definition of run {@code run}.
   *
   * @param problem what was planned
   * @param estimate what the plan is predicted to take
   * @param deadlineS seconds from the run's beginning
   * @param budgetUsd dollars that this run may spend
   */
  public static RunDefinition of(
      String run,
      Job job,
      Problem problem,
      Plan plan,
      Estimate estimate,
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd) {
    return new RunDefinition(
        run,
        problem.workload(),
        plan,
        candidates(problem, plan),
        job.search().metric(),
        job.trial().maxFailures(),
        job.budget(),
        budgetUsd,
        deadlineS,
        job.deadlineMiss(),
        forecasts(estimate),
        watchdogs(problem, plan),
        graceS(problem),
        problem.running(),
        Optional.of(
            new RunDefinition.Planning(
                problem.profiles(), problem.gpusPerTrial(), problem.limits(), problem.seed())));
  }

  /** The offers that {@code plan} uses, and those of the same providers that it may change to. */
  private static Map<String, Offer> candidates(Problem problem, Plan plan) {
    Map<String, Offer> offers = offers(problem, plan);
    Set<String> providers =
        offers.values().stream().map(Offer::provider).collect(Collectors.toSet());
    problem.offers().stream()
        .filter(offer -> providers.contains(offer.provider()))
        .filter(offer -> problem.profile(offer).isPresent())
        .forEach(offer -> offers.putIfAbsent(offer.name(), offer));
    return offers;
  }

  /** The offers that {@code plan} uses, by name. */
  public static Map<String, Offer> offers(Problem problem, Plan plan) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations().values()) {
      offers.put(allocation.offer(), offer(problem, allocation));
    }
    return offers;
  }

  private static Offer offer(Problem problem, Allocation allocation) {
    return problem
        .offer(allocation.offer())
        .orElseThrow(() -> new IllegalStateException("no offer " + allocation.offer()));
  }

  private static Map<String, RunDefinition.Forecast> forecasts(Estimate estimate) {
    Map<String, RunDefinition.Forecast> forecasts = new LinkedHashMap<>();
    for (GroupEstimate group : estimate.groups()) {
      forecasts.put(
          group.group(),
          new RunDefinition.Forecast(
              group.endS().mean() - group.startS().mean(), group.costUsd().mean()));
    }
    return forecasts;
  }

  /** By group: seconds without a report after which a trial of {@code plan} counts as hung. */
  public static Map<String, Double> watchdogs(Problem problem, Plan plan) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.of(group);
      Profile profile = problem.profile(offer(problem, allocation)).orElseThrow();
      seconds.put(group.name(), watchdogS(profile, allocation));
    }
    return seconds;
  }

  /** Seconds without a report after which a trial with {@code allocation} counts as hung. */
  static double watchdogS(Profile profile, Allocation allocation) {
    double predicted = Speed.of(profile, allocation).seconds(1, 1);
    return Math.max(LEAST_PATIENCE_S, PATIENCE * predicted);
  }

  private static double graceS(Problem problem) {
    double measured =
        problem.profiles().values().stream()
            .mapToDouble(profile -> profile.checkpointS().mean())
            .max()
            .orElse(0);
    return Math.min(MOST_GRACE_S, Math.max(LEAST_GRACE_S, CHECKPOINTS_SLOWER * measured));
  }
}
