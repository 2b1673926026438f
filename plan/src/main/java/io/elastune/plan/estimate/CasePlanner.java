package io.elastune.plan.estimate;

import io.elastune.core.config.Overrides;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.InputEnvironment;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.PreferredPlan;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Plans all cases in parallel. They share a fixed time, so that many cases do not take longer. */
public final class CasePlanner {
  /** The time of all searches together; loading and start-up are in addition. */
  private static final Duration SEARCH = Duration.ofMillis(400);

  private static final int MOST_COUNTED = 3;

  /** The table shows no bounds, so that little effort for exact search is enough. */
  private static final PlannerOptions OPTIONS =
      new PlannerOptions(PlannerOptions.Kind.BEST, 2_000, 25_000);

  private final InputEnvironment environment;
  private final InputsLoader loader;
  private final String job;
  private final Overrides general;
  private final AssumedTraining training;

  /**
   * Creates a planner.
   *
   * @param job the job file
   * @param general the options that apply to every case
   */
  public CasePlanner(
      InputEnvironment environment, String job, Overrides general, AssumedTraining training) {
    this.environment = environment;
    this.loader = new InputsLoader(environment);
    this.job = job;
    this.general = general;
    this.training = training;
  }

  /** Returns the answers, in the order of the cases. */
  public List<CaseResult> plan(List<EstimateCase> cases, String program, String unit) {
    int threads = Math.min(cases.size(), Runtime.getRuntime().availableProcessors());
    Duration share = SEARCH.multipliedBy(threads).dividedBy(cases.size());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Map<EstimateCase, Future<CaseResult>> answers = new HashMap<>();
      for (EstimateCase one : byTurns(cases)) {
        answers.put(one, pool.submit(() -> answer(one, program, unit, share)));
      }
      List<CaseResult> results = new ArrayList<>();
      for (EstimateCase one : cases) {
        results.add(Objects.requireNonNull(answers.get(one), "submitted above").get());
      }
      return withTrials(results);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Adds how many trials fit the budget to the cases with different plans, if they are few. */
  private List<CaseResult> withTrials(List<CaseResult> results) {
    List<CaseResult> distinct = new DistinctCases(results).distinct();
    return results.stream()
        .map(
            result ->
                distinct.size() <= MOST_COUNTED || distinct.get(0).asked().equals(result.asked())
                    ? result.withMostTrials(mostTrials(result))
                    : result)
        .toList();
  }

  private static OptionalInt mostTrials(CaseResult result) {
    return result.budgetUsd().isEmpty() || result.inputs().problem().isEmpty()
        ? OptionalInt.empty()
        : AffordableTrials.find(
            result.inputs().job().value(),
            result.inputs().problem().get(),
            result.budgetUsd().getAsDouble(),
            result.found());
  }

  /**
   * Returns the cases, the first of each place first: two threads load the offers of two places.
   */
  private static List<EstimateCase> byTurns(List<EstimateCase> cases) {
    Map<Optional<String>, Integer> seen = new HashMap<>();
    Map<EstimateCase, Integer> turns = new HashMap<>();
    cases.forEach(one -> turns.put(one, seen.merge(one.place(), 1, Integer::sum)));
    return cases.stream().sorted(Comparator.comparing(turns::get)).toList();
  }

  private CaseResult answer(EstimateCase asked, String program, String unit, Duration share) {
    Inputs inputs = load(asked, program, unit);
    return new CaseResult(
        asked, inputs, plan(inputs, share).map(result -> preferred(inputs, result)));
  }

  private Inputs load(EstimateCase asked, String program, String unit) {
    Instant now = environment.clock().instant();
    return loader.load(
        job,
        asked.overrides(general),
        gpus ->
            gpus.stream()
                .flatMap(gpu -> training.profile(program, unit, gpu, now).stream())
                .toList());
  }

  /** Returns the plan that the job prefers, in place of the planner's own. */
  private static PlanResult preferred(Inputs inputs, PlanResult result) {
    return result instanceof PlanResult.Found found
        ? new PreferredPlan(1)
            .of(new FoundPlan(inputs, inputs.problem().orElseThrow(), found))
            .found()
        : result;
  }

  /** A preference other than that of the planner needs the frontier. */
  private static SearchParameters parameters(Inputs inputs, Problem problem) {
    Preference preference = RunDefinitionFactory.preference(inputs.job().value(), problem);
    boolean hasDeadline = problem.limits().deadlineS().isPresent();
    return PreferredPlan.isThatOfThePlanner(preference, hasDeadline)
        ? SearchParameters.PLAN_ALONE
        : SearchParameters.DEFAULT;
  }

  private Optional<PlanResult> plan(Inputs inputs, Duration share) {
    Instant end = environment.clock().instant().plus(share);
    return inputs
        .problem()
        .map(
            problem ->
                new Planner(
                        problem,
                        OPTIONS.forSearch(inputs.job().value().search()),
                        parameters(inputs, problem),
                        () -> !environment.clock().instant().isBefore(end))
                    .plan());
  }
}
