package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Job;
import io.elastune.core.job.Preference;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.UnitTime;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import io.elastune.profiler.PlanValue;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Plans the job of a command with profiles that a measurement could give. */
final class HypotheticalPlans implements PlanValue {
  /** Differences of mean cost need few samples, since all plans have the same random numbers. */
  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 200, 20_000);

  /** Whether a plan exists does not depend on how well it is predicted. */
  private static final PlannerOptions ONE_SAMPLE =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 1, 20_000);

  /** A budget that no plan reaches. */
  private static final double UNLIMITED_USD = 1e12;

  private static final String REMEDY =
      "allow other numbers of GPUs, instances or offers under trial and resources; nothing was"
          + " measured";

  private final Inputs inputs;
  private final Map<String, Profile> known;

  /** {@code known}: the profiles of other GPU models. */
  HypotheticalPlans(Inputs inputs, Map<String, Profile> known) {
    this.inputs = inputs;
    this.known = new TreeMap<>(known);
  }

  /** Returns the best plan with the known profiles. */
  Optional<Worth> present() {
    return known.isEmpty() ? Optional.empty() : worth(known);
  }

  @Override
  public Optional<Worth> of(Profile profile) {
    Map<String, Profile> all = new TreeMap<>(known);
    all.put(profile.gpu(), profile);
    return worth(all);
  }

  private Optional<Worth> worth(Map<String, Profile> all) {
    Problem loaded = inputs.problemWith(all);
    Problem problem = prefersFastest() ? withoutDeadline(loaded) : loaded;
    Search search = inputs.job().value().search();
    // Whether brackets share instances hardly changes what a measurement is worth.
    PlannerOptions options =
        search.hasOpenBrackets() ? QUICK.withBrackets(Brackets.SEPARATE) : QUICK.forSearch(search);
    return new Planner(problem, options, SearchParameters.PLAN_ALONE, () -> false)
        .plan()
        .match(HypotheticalPlans::worth, infeasible -> Optional.empty(), none -> Optional.empty());
  }

  /** Returns the problem of which the fastest plan is the best: without any limit, it is not. */
  private static Problem withoutDeadline(Problem problem) {
    double budgetUsd = problem.limits().budgetUsd().orElse(UNLIMITED_USD);
    return problem.withLimits(
        problem.limits().within(OptionalDouble.empty(), OptionalDouble.of(budgetUsd)));
  }

  private boolean prefersFastest() {
    Job job = inputs.job().value();
    return RunDefinitionFactory.preference(job, job.deadline().isPresent(), inputs.allowed()).rule()
        == Preference.Rule.FASTEST;
  }

  private static Optional<Worth> worth(PlanResult.Found found) {
    return Optional.of(
        new Worth(found.estimate().costUsd().mean(), found.estimate().completionS().mean()));
  }

  /**
   * Checks that a plan exists if the program can be measured with every allowed number of GPUs.
   *
   * @throws CommandFailure with exit code 10 that states why there is none, whatever is measured
   */
  void requirePossible() {
    Map<String, Profile> all = new TreeMap<>(known);
    inputs.allowed().forEach(offer -> all.computeIfAbsent(offer.gpu(), this::everyCount));
    Problem problem = inputs.problemWith(all);
    new Planner(
            inputs.cluster().map(problem::withCluster).orElse(problem),
            ONE_SAMPLE.forSearch(inputs.job().value().search()),
            SearchParameters.PLAN_ALONE,
            () -> false)
        .plan()
        .match(found -> true, infeasible -> true, impossible -> refuse(impossible));
  }

  private boolean refuse(PlanResult.Impossible impossible) {
    throw new CommandFailure(
        ExitCode.INFEASIBLE,
        impossible
            .reason()
            .lines()
            .map(
                reason ->
                    ErrorDetail.of(
                        JobProblems.detail(
                            inputs.job(), "resources", "no plan is possible: " + reason, REMEDY)))
            .toList());
  }

  /** Returns a profile of a program that is twice as fast on twice as many GPUs. */
  private Profile everyCount(String gpu) {
    Job job = inputs.job().value();
    int most =
        inputs.allowed().stream().mapToInt(Offer::gpus).max().orElse(1)
            * inputs.limits().maxInstances();
    NavigableMap<Integer, Double> speedups = new TreeMap<>();
    IntStream.rangeClosed(job.trial().gpus().low(), Math.min(most, job.trial().gpus().high()))
        .forEach(gpus -> speedups.put(gpus, (double) gpus));
    return new AssumedTraining(
            List.of(new UnitTime(gpu, 1)), speedups, OptionalDouble.empty(), 0, GpuRatios.shipped())
        .profile(job.name(), job.search().resource().unit(), gpu, inputs.at())
        .orElseThrow();
  }

  @Override
  public boolean isTimed() {
    return inputs.job().value().deadline().isEmpty()
        || prefersFastest()
        || inputs.allowed().stream().allMatch(offer -> offer.usdPerHour() == 0);
  }
}
