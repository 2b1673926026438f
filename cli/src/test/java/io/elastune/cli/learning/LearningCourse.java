package io.elastune.cli.learning;

import io.elastune.core.config.JobFile;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.rehearsal.AcceleratedClock;
import io.elastune.executor.rehearsal.ProfileBasedTraining;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.executor.search.Configurations;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.profiler.CombinedProfile;
import io.elastune.profiler.History;
import io.elastune.profiler.Profiler;
import io.elastune.simulator.Simulator;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Profiles a program in the simulated environment and runs its job several times. Every run is
 * predicted with what the earlier ones have added to the history.
 */
final class LearningCourse {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
  private static final long SECONDS_BETWEEN_RUNS = 86_400;
  private static final int SAMPLES = 2_000;

  private final LearningLaw law;
  private final Path home;
  private final History history;
  private int started;

  LearningCourse(LearningLaw law, Path home) {
    this.law = law;
    this.home = home;
    this.history = new History(home, InstantSource.fixed(START));
  }

  /**
   * The errors of the prediction before one run, relative to the expectation with the true times.
   *
   * @param actualS relative difference of the predicted mean and the time that the run took
   * @param chance relative difference of the expectation and the time that the run took
   */
  record Errors(double completion, double cost, double actualS, double chance) {}

  /** Returns the errors of the predictions before each run. */
  List<Errors> errors(int runs) {
    Profile stored = profile();
    List<Errors> errors = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      Profile profile =
          CombinedProfile.of(stored, history.evidence(law.job(), home, stored.gpu())).profile();
      Problem problem = law.problem(profile);
      Plan plan = plan(problem);
      Estimate predicted = new Simulator(problem, SAMPLES).simulate(plan);
      Estimate expected = new Simulator(law.trueProblem(), SAMPLES).simulate(plan);
      double actualS = run(plan, predicted);
      errors.add(
          new Errors(
              error(predicted.completionS().mean(), expected.completionS().mean()),
              error(predicted.costUsd().mean(), expected.costUsd().mean()),
              error(predicted.completionS().mean(), actualS),
              error(expected.completionS().mean(), actualS)));
    }
    return errors;
  }

  private static double error(double predicted, double actual) {
    return Math.abs(predicted / actual - 1);
  }

  private static Plan plan(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, 500, 50_000);
    return new Planner(problem, options.withThreads(1))
        .plan()
        .match(
            PlanResult.Found::plan,
            infeasible -> {
              throw new IllegalStateException("no plan: " + infeasible.violated());
            },
            impossible -> {
              throw new IllegalStateException("no plan at all");
            });
  }

  private Profile profile() {
    RunDefinition definition =
        Profiler.definition(
            law.job(),
            law.offer(),
            LearningLaw.MAX_INSTANCES,
            nextRun(),
            OptionalDouble.empty(),
            Optional.empty());
    RunState end = execute(definition, RunMeta.Kind.PROFILE, Optional.empty());
    RunFolder folder = RunFolder.of(home, definition.run());
    return Profiler.profile(
            law.job(),
            law.offer(),
            law.job().resources().maxInstances(),
            Optional.empty(),
            folder,
            end)
        .profile();
  }

  private double run(Plan plan, Estimate predicted) {
    RunDefinition definition =
        RunDefinitionFactory.of(
                nextRun(),
                law.job(),
                law.trueProblem(),
                plan,
                predicted,
                OptionalDouble.empty(),
                OptionalDouble.empty())
            .withoutReplanning();
    execute(definition, RunMeta.Kind.TUNE, Optional.of(predicted));
    return history.predictions().stream()
        .filter(one -> one.run().equals(definition.run()))
        .findFirst()
        .orElseThrow()
        .actualS()
        .orElseThrow();
  }

  private String nextRun() {
    return "law-20261120-r%03d".formatted(++started);
  }

  private RunState execute(
      RunDefinition definition, RunMeta.Kind kind, Optional<Estimate> predicted) {
    long seed = 1000 * law.seed() + started;
    SimulatedEnvironment world =
        new SimulatedEnvironment(
            seed,
            new ProfileBasedTraining(
                law.trueProblem(),
                definition.metric().name(),
                RandomStream.of(seed).substream("training"),
                FaultRates.NONE.trials()),
            START.plusSeconds(SECONDS_BETWEEN_RUNS * started));
    AcceleratedClock time = new AcceleratedClock(world, definition, Double.POSITIVE_INFINITY);
    RunFolder folder = RunFolder.of(home, definition.run());
    folder.create();
    RunSpec spec =
        new RunSpec(
            definition,
            law.job(),
            home,
            Optional.empty(),
            folder,
            "test",
            Map.of(),
            new Configurations(law.job().search()),
            meta(kind, predicted, folder));
    RunState end =
        new RunController(
                spec,
                world::cloud,
                world::engine,
                time,
                time::eventsOf,
                (event, before, stepResult) -> {},
                Advisors.NONE)
            .run()
            .state();
    history.record(folder);
    return end;
  }

  private RunMeta meta(RunMeta.Kind kind, Optional<Estimate> predicted, RunFolder folder) {
    return RunMeta.builder()
        .kind(kind)
        .version("test")
        .jobFile("job.yaml")
        .job(JobFile.write(law.job()))
        .plan("")
        .unit(law.job().search().resource().unit())
        .metric(law.job().search().metric())
        .notional(true)
        .profilingUsd(0)
        .predicted(predicted.map(RunMeta.Predicted::of))
        .jobFolder(home.toString())
        .checkpoints(folder.checkpointStore().toString())
        .build();
  }
}
