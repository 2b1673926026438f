package io.elastune.executor.rehearsal;

import io.elastune.core.search.LearningCurves;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.replan.ReplanService;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Executes a job in the simulated environment. The same seed always gives the same run, event for
 * event.
 */
public final class Rehearsal {
  /** A run that has not ended after this much virtual time never will: two years. */
  private static final double FOREVER_S = 2 * 365 * 86_400.0;

  /** A run that has processed this many events without ending never will. */
  private static final long MOST_EVENTS = 1_000_000;

  /** An instance that is alive this long after the end of the run is leaked. */
  private static final Duration LEAKED_AFTER = Duration.ofHours(1);

  private final RehearsedJob job;
  private final Function<RunDefinition, DecisionFunction> decisionFunctions;
  private final EnvironmentFactory environmentFactory;
  private final Function<RunDefinition, ReplanService> planners;

  /** Creates the simulated environments of runs. */
  interface EnvironmentFactory {
    /**
     * Creates the environment for {@code seed}; {@code state} returns the current state of the run
     * after its start.
     */
    SimulatedEnvironment of(long seed, Supplier<RunState> state);
  }

  public Rehearsal(RehearsedJob job) {
    this(job, definition -> new RunCore(definition)::step);
  }

  /** Creates a rehearsal with another decision core. */
  Rehearsal(RehearsedJob job, Function<RunDefinition, DecisionFunction> decisionFunctions) {
    this(job, decisionFunctions, PlannerReplanner::new);
  }

  /** Creates a rehearsal with another decision core and other new plans. */
  Rehearsal(
      RehearsedJob job,
      Function<RunDefinition, DecisionFunction> decisionFunctions,
      Function<RunDefinition, ReplanService> planners) {
    this(job, decisionFunctions, (seed, state) -> drawn(job, seed, Optional.empty()), planners);
  }

  /** Creates a rehearsal in other environments than those that model the job's profiles. */
  Rehearsal(RehearsedJob job, EnvironmentFactory environmentFactory) {
    this(
        job,
        definition -> new RunCore(definition)::step,
        environmentFactory,
        PlannerReplanner::new);
  }

  /** Creates a rehearsal in other environments and with other new plans. */
  Rehearsal(
      RehearsedJob job,
      Function<RunDefinition, DecisionFunction> decisionFunctions,
      EnvironmentFactory environmentFactory,
      Function<RunDefinition, ReplanService> planners) {
    this.job = job;
    this.decisionFunctions = decisionFunctions;
    this.environmentFactory = environmentFactory;
    this.planners = planners;
  }

  /** Returns a rehearsal in which trials follow learning curves, one for each trial. */
  public static Rehearsal withCurves(RehearsedJob job, LearningCurves curves) {
    return new Rehearsal(job, (seed, state) -> drawn(job, seed, Optional.of(curves)));
  }

  private static SimulatedEnvironment drawn(
      RehearsedJob job, long seed, Optional<LearningCurves> curves) {
    return new SimulatedEnvironment(
        seed,
        job.faults(),
        new ProfileBasedTraining(
                job.problem(),
                job.definition().metric().name(),
                RandomStream.of(seed).substream("training"),
                job.faults().trials(),
                curves)
            .of(job.definition().plan()));
  }

  /** Executes the job once. */
  public RehearsedRun run(long seed) {
    List<RehearsalController> running = new ArrayList<>(1); // the environment is created first
    SimulatedEnvironment world = environmentFactory.of(seed, () -> running.get(0).state());
    RehearsalController rehearsalController =
        new RehearsalController(
            job,
            world,
            decisionFunctions.apply(job.definition()),
            job.definition().planning().map(with -> planners.apply(job.definition())));
    running.add(rehearsalController);
    InvariantChecker invariantChecker = new InvariantChecker(job.definition(), world.groundTruth());
    rehearsalController.start();
    while (continues(rehearsalController, world) && world.time().step()) {
      invariantChecker.checkInstances(rehearsalController.state());
    }
    invariantChecker.checkEnd(
        rehearsalController.state(),
        rehearsalController.completedS(),
        rehearsalController.maxClockErrorS());
    double runningUsd = job.definition().running().usd(end(rehearsalController));
    double leasesUsd = world.groundTruth().costUsd();
    world.time().advance(LEAKED_AFTER);
    invariantChecker.checkLeaks();
    RunState state = rehearsalController.state();
    return new RehearsedRun(
        seed,
        rehearsalController.isFinished() ? state.ending().exitCode() : -1,
        rehearsalController.completedS(),
        leasesUsd + runningUsd,
        rehearsalController.events(),
        invariantChecker.violations(),
        world.groundTruth().faultCounts().counts());
  }

  private static boolean continues(
      RehearsalController rehearsalController, SimulatedEnvironment world) {
    return !rehearsalController.isFinished()
        && world.time().seconds() < FOREVER_S
        && rehearsalController.events() < MOST_EVENTS;
  }

  private static double end(RehearsalController rehearsalController) {
    return Double.isNaN(rehearsalController.completedS()) ? 0 : rehearsalController.completedS();
  }
}
