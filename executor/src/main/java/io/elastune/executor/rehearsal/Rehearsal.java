package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Allocation;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.SimulatedWorld;
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
  private final Function<RunDefinition, Decider> deciders;
  private final Worlds worlds;

  /** Creates the simulated environments of runs. */
  interface Worlds {
    /**
     * Creates the environment for {@code seed}; {@code state} returns the current state of the run
     * after its start.
     */
    SimulatedWorld of(long seed, Supplier<RunState> state);
  }

  public Rehearsal(RehearsedJob job) {
    this(job, definition -> new RunCore(definition)::step);
  }

  /** Creates a rehearsal with another decision core. */
  Rehearsal(RehearsedJob job, Function<RunDefinition, Decider> deciders) {
    this.job = job;
    this.deciders = deciders;
    this.worlds = (seed, state) -> drawn(job, seed, state);
  }

  /** Creates a rehearsal in other environments than those that model the job's profiles. */
  Rehearsal(RehearsedJob job, Worlds worlds) {
    this.job = job;
    this.deciders = definition -> new RunCore(definition)::step;
    this.worlds = worlds;
  }

  private static SimulatedWorld drawn(RehearsedJob job, long seed, Supplier<RunState> state) {
    return new SimulatedWorld(
        seed,
        job.faults(),
        new ProfiledTraining(
            job.problem(),
            group -> allocation(job, state.get(), group),
            job.definition().metric().name(),
            Chance.of(seed).at("training"),
            job.faults().trials()));
  }

  /** Executes the job once. */
  public RehearsedRun play(long seed) {
    List<Controller> running = new ArrayList<>(1); // the environment is created first
    SimulatedWorld world = worlds.of(seed, () -> running.get(0).state());
    Controller controller = new Controller(job, world, deciders.apply(job.definition()));
    running.add(controller);
    Verdict verdict = new Verdict(job.definition(), world.book());
    controller.begin();
    while (continues(controller, world) && world.time().step()) {
      verdict.look(controller.state());
    }
    verdict.ended(controller.state(), controller.completedS(), controller.furthestOffS());
    double runningUsd = job.definition().running().usd(end(controller));
    double leasesUsd = world.book().billUsd();
    world.time().advance(LEAKED_AFTER);
    verdict.anHourLater();
    RunState state = controller.state();
    return new RehearsedRun(
        seed,
        controller.finished() ? state.ending().exitCode() : -1,
        controller.completedS(),
        leasesUsd + runningUsd,
        controller.events(),
        verdict.broken(),
        world.book().mishaps().counts());
  }

  private static Optional<Allocation> allocation(RehearsedJob job, RunState state, String group) {
    return job.definition().workload().groups().stream()
        .filter(one -> one.name().equals(group))
        .map(one -> state.allocation(job.definition(), one))
        .findFirst();
  }

  private static boolean continues(Controller controller, SimulatedWorld world) {
    return !controller.finished()
        && world.time().seconds() < FOREVER_S
        && controller.events() < MOST_EVENTS;
  }

  private static double end(Controller controller) {
    return Double.isNaN(controller.completedS()) ? 0 : controller.completedS();
  }
}
