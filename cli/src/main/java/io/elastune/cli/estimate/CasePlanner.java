package io.elastune.cli.estimate;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.input.Inputs;
import io.elastune.cli.input.InputsLoader;
import io.elastune.core.config.Overrides;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Plans all cases in parallel. They share a fixed time, so that many cases do not take longer. */
final class CasePlanner {
  /** The time of all searches together; loading and start-up are in addition. */
  private static final Duration SEARCH = Duration.ofSeconds(1);

  private final CliEnvironment cliEnvironment;
  private final String job;
  private final Overrides general;
  private final AssumedTraining training;

  /**
   * Creates a planner.
   *
   * @param job the job file
   * @param general the options that apply to every case
   */
  CasePlanner(
      CliEnvironment cliEnvironment, String job, Overrides general, AssumedTraining training) {
    this.cliEnvironment = cliEnvironment;
    this.job = job;
    this.general = general;
    this.training = training;
  }

  /** Returns the answers, in the order of the cases. */
  List<CaseResult> plan(List<EstimateCase> cases, String program, String unit) {
    List<Inputs> inputs = cases.stream().map(one -> load(one, program, unit)).toList();
    int threads = Math.min(cases.size(), Runtime.getRuntime().availableProcessors());
    Duration share = SEARCH.multipliedBy(threads).dividedBy(cases.size());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Optional<PlanResult>>> plans =
          inputs.stream().map(some -> pool.submit(() -> plan(some, share))).toList();
      List<CaseResult> results = new ArrayList<>();
      for (int i = 0; i < cases.size(); i++) {
        results.add(new CaseResult(cases.get(i), inputs.get(i), plans.get(i).get()));
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Inputs load(EstimateCase asked, String program, String unit) {
    Instant now = cliEnvironment.clock().instant();
    return new InputsLoader(cliEnvironment)
        .load(
            job,
            asked.overrides(general),
            gpus ->
                gpus.stream()
                    .flatMap(gpu -> training.profile(program, unit, gpu, now).stream())
                    .toList());
  }

  private Optional<PlanResult> plan(Inputs inputs, Duration share) {
    Instant end = cliEnvironment.clock().instant().plus(share);
    return inputs
        .problem()
        .map(
            problem ->
                new Planner(
                        problem,
                        PlannerOptions.DEFAULT.forSearch(inputs.job().value().search()),
                        () -> !cliEnvironment.clock().instant().isBefore(end))
                    .plan());
  }
}
