package io.elastune.executor.decision.model;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.FluidRules;
import io.elastune.core.allocation.HyperSchedRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Job;
import io.elastune.core.job.Preference;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialFactors;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the definition of a run from a plan and its estimate. */
public final class RunDefinitionFactory {
  /** Minimum seconds that a stopped trial is expected to need. */
  private static final double LEAST_GRACE_S = 5;

  /** Maximum seconds that the trial protocol grants a stopped trial. */
  private static final double MOST_GRACE_S = 30;

  /** The expected maximum time of a checkpoint as a multiple of its measured mean. */
  private static final double CHECKPOINTS_SLOWER = 3;

  private RunDefinitionFactory() {}

  /**
   * Returns the definition of the run with id {@code run}.
   *
   * @param problem the problem that the plan solves
   * @param estimate the estimate of the plan
   * @param deadlineS seconds from the start of the run
   * @param budgetUsd USD that this run may spend
   */
  public static RunDefinition of(
      String run,
      Job job,
      Problem problem,
      Plan plan,
      Estimate estimate,
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd) {
    RunDefinition listed =
        RunDefinitionBuilder.builder()
            .run(run)
            .workload(workload(problem, plan))
            .plan(plan)
            .offers(candidates(problem, plan))
            .metric(job.search().metric())
            .maxFailures(job.trial().maxFailures())
            .maxFailedTrials(maxFailedTrials(job, problem))
            .budget(job.budget())
            .budgetLeftUsd(budgetUsd)
            .deadlineS(deadlineS)
            .deadlineMiss(job.deadlineMiss())
            .forecasts(forecasts(problem, plan, estimate))
            .hangLimits(hangLimits(problem, plan))
            .graceS(graceS(problem))
            .running(problem.running())
            .planning(planning(job, problem))
            .sampler(sampler(job.search(), plan.shared() || problem.policy().choosesSizes()))
            .clusterProfile(clusterProfile(problem, plan))
            .keepAlive(problem.keepAlive())
            .patience(job.search().stop().flatMap(SearchStop::patience).map(PatienceRule::of))
            .build()
            .withWaitForCapacity(job.resources().waitForCapacity());
    return switch (problem.policy().type()) {
      case LIST -> listed;
      case FLUID -> listed.withFluid(fluid(problem, plan));
      case HERMES -> listed.withHermes(hermes(problem, plan));
      case HYPERSCHED -> listed.withHyperSched(hyperSched(problem, plan));
    };
  }

  /**
   * Returns the work of {@code problem}; for a search that ends at a time, with the seconds per
   * unit of a new trial in {@code plan}, on which depends whether it may start.
   */
  public static Workload workload(Problem problem, Plan plan) {
    Workload workload = problem.workload();
    Optional<RungRule> timed = workload.rungs().filter(rule -> rule.time().isPresent());
    if (timed.isEmpty()) {
      return workload;
    }
    Allocation open = plan.of(workload.groups().get(0));
    double unitS =
        problem
            .profile(offer(problem, open))
            .orElseThrow()
            .secondsPerUnit(open.gpusPerTrial())
            .orElseThrow();
    return workload.withRungs(
        timed
            .get()
            .withTime(timed.get().time().map(it -> new RungRule.TimeLimit(it.seconds(), unitS))));
  }

  /** Returns the inputs for re-planning; a fixed cluster keeps its instances. */
  private static Optional<RunDefinition.Planning> planning(Job job, Problem problem) {
    return problem.cluster().isPresent()
        ? Optional.empty()
        : Optional.of(
            new RunDefinition.Planning(
                problem.profiles(),
                problem.gpusPerTrial(),
                problem.limits(),
                problem.seed(),
                rungChanges(job, problem),
                Optional.of(preference(job, problem))));
  }

  /** Returns the preference of a job, or its default. */
  public static Preference preference(Job job, Problem problem) {
    return preference(job, problem.limits().deadlineS().isPresent(), problem.offers());
  }

  /** Returns the preference of a job, or its default with these offers. */
  public static Preference preference(Job job, boolean hasDeadline, List<Offer> offers) {
    boolean charged = offers.stream().anyMatch(Offer::costsMoney);
    return job.prefer().orElseGet(() -> Preference.byDefault(hasDeadline, charged));
  }

  private static Optional<RungChanges> rungChanges(Job job, Problem problem) {
    boolean moves = job.search().asha().filter(AshaOptions::moveTail).isPresent();
    return problem.workload().rungs().map(rule -> moves ? RungChanges.PLACES : RungChanges.SIZES);
  }

  /** Returns the profile of the instances of a fixed cluster; empty for other plans. */
  public static Optional<Profile> clusterProfile(Problem problem, Plan plan) {
    return problem
        .cluster()
        .flatMap(
            cluster ->
                problem.profile(offer(problem, plan.of(problem.workload().groups().get(0)))));
  }

  /** Returns how Fluid divides the instances of {@code plan}; empty under another policy. */
  public static Optional<FluidDefinition> fluid(Problem problem, Plan plan) {
    if (problem.fluid().isEmpty()) {
      return Optional.empty();
    }
    Offer offer = offer(problem, plan.of(problem.workload().groups().get(0)));
    Profile profile = problem.profile(offer).orElseThrow();
    return Optional.of(
        FluidDefinition.of(
            FluidRules.of(problem, offer),
            profile,
            FluidRules.seconds(profile),
            TrialFactors.all(problem.workload(), profile)));
  }

  /** Returns how HyperSched divides the instances of {@code plan}; empty under another policy. */
  public static Optional<HyperSchedDefinition> hyperSched(Problem problem, Plan plan) {
    if (problem.hyperSched().isEmpty()) {
      return Optional.empty();
    }
    Offer offer = offer(problem, plan.of(problem.workload().groups().get(0)));
    Profile profile = problem.profile(offer).orElseThrow();
    HyperSchedRule rule = HyperSchedRules.of(problem, offer);
    return Optional.of(
        HyperSchedDefinition.of(
            rule, profile, FluidRules.seconds(profile), HyperSchedRules.timing(0, profile, rule)));
  }

  /** Returns how Hermes divides the instances of {@code plan}; empty under another policy. */
  public static Optional<HermesDefinition> hermes(Problem problem, Plan plan) {
    return problem
        .hermes()
        .map(
            options ->
                HermesDefinition.of(
                    options.rule(),
                    problem
                        .profile(offer(problem, plan.of(problem.workload().groups().get(0))))
                        .orElseThrow()));
  }

  /** {@code divides}: whether trials share instances by a rule that has to know all of them. */
  private static Optional<SamplerRule> sampler(Search search, boolean divides) {
    return search
        .sampler()
        .filter(options -> search.usesSampler())
        .map(
            options ->
                new SamplerRule(
                    search.firstConfigurations().size(),
                    options.onError() == SamplerOptions.OnError.STOP,
                    !divides));
  }

  private static OptionalInt maxFailedTrials(Job job, Problem problem) {
    int trials =
        problem.workload().groups().stream()
            .filter(group -> group.fromUnit() == 0)
            .mapToInt(TrialGroup::trials)
            .sum();
    return job.search()
        .maxFailedTrials()
        .map(limit -> OptionalInt.of(limit.of(trials)))
        .orElse(OptionalInt.empty());
  }

  /** The offers of {@code plan}, and those of the same providers that a new plan may use. */
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

  /** Returns the offers that {@code plan} uses, by name. */
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

  private static Map<String, RunDefinition.Forecast> forecasts(
      Problem problem, Plan plan, Estimate estimate) {
    Map<String, RunDefinition.Forecast> forecasts = new LinkedHashMap<>();
    for (GroupEstimate group : estimate.groups()) {
      forecasts.put(
          group.group(),
          new RunDefinition.Forecast(
              group.endS().mean() - group.startS().mean(),
              group.costUsd().mean(),
              checkpointEvery(problem, plan, group.group())));
    }
    return forecasts;
  }

  private static OptionalInt checkpointEvery(Problem problem, Plan plan, String name) {
    return problem.workload().groups().stream()
        .filter(group -> group.name().equals(name) && !plan.shared())
        .map(group -> checkpoints(problem, plan.of(group), group))
        .filter(CheckpointSchedule::decided)
        .mapToInt(CheckpointSchedule::every)
        .findFirst();
  }

  private static CheckpointSchedule checkpoints(
      Problem problem, Allocation allocation, TrialGroup group) {
    Offer offer = offer(problem, allocation);
    return CheckpointSchedule.of(group, offer, problem.profile(offer).orElseThrow(), allocation);
  }

  /** Returns the times after which a trial of {@code plan} counts as hung, by group. */
  public static Map<String, HangLimit> hangLimits(Problem problem, Plan plan) {
    OptionalDouble slowestS =
        Stream.concat(
                fluid(problem, plan).map(FluidDefinition::slowestUnitS).stream(),
                hyperSched(problem, plan).map(HyperSchedDefinition::slowestUnitS).stream())
            .mapToDouble(seconds -> seconds)
            .findFirst();
    Map<String, HangLimit> limits = new LinkedHashMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.of(group);
      Offer offer = offer(problem, allocation);
      Profile profile = problem.profile(offer).orElseThrow();
      TrialDuration planned = TrialDuration.of(group, offer, profile, allocation);
      TrialDuration predicted =
          slowestS.isPresent() ? planned.withUnitS(slowestS.getAsDouble()) : planned;
      limits.put(
          group.name(),
          new HangLimit(
              Optional.of(predicted), problem.silence().seconds(), OptionalDouble.empty()));
    }
    return limits;
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
