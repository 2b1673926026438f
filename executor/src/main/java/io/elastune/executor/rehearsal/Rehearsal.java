package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Allocation;
import io.elastune.executor.core.RunCore;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Carries a job out in simulated worlds. One seed always gives the same run, event for event. */
public final class Rehearsal {
  /** A run that has not ended after so much virtual time will never end: two years. */
  private static final double FOREVER_S = 2 * 365 * 86_400.0;

  /** Nor will one that has taken so many decisions. */
  private static final long MOST_EVENTS = 1_000_000;

  /** What is still alive so long after a run's end is leaked. */
  private static final Duration LEAKED_AFTER = Duration.ofHours(1);

  private final RehearsedJob job;
  private final Function<RunDefinition, Decider> deciders;
  private final Worlds worlds;

  /** Makes the worlds that runs take place in. */
  interface Worlds {
    /** {@code state}: how far the run is, once it has begun. */
    SimulatedWorld of(long seed, Supplier<RunState> state);
  }

  public Rehearsal(RehearsedJob job) {
    this(job, definition -> new RunCore(definition)::step);
  }

  /** {@code deciders}: who decides in runs of a definition. */
  Rehearsal(RehearsedJob job, Function<RunDefinition, Decider> deciders) {
    this.job = job;
    this.deciders = deciders;
    this.worlds = (seed, state) -> drawn(job, seed, state);
  }

  /** {@code worlds}: where the job is carried out, instead of worlds drawn by its profiles. */
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

  /** Carries the job out once. */
  public RehearsedRun play(long seed) {
    List<Controller> running = new ArrayList<>(1); // the world is there before it
    SimulatedWorld world = worlds.of(seed, () -> running.get(0).state());
    Controller controller = new Controller(job, world, deciders.apply(job.definition()));
    running.add(controller);
    Verdict verdict = new Verdict(job.definition(), world.book());
    controller.begin();
    while (goesOn(controller, world) && world.time().step()) {
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

  private static boolean goesOn(Controller controller, SimulatedWorld world) {
    return !controller.finished()
        && world.time().seconds() < FOREVER_S
        && controller.events() < MOST_EVENTS;
  }

  private static double end(Controller controller) {
    return Double.isNaN(controller.completedS()) ? 0 : controller.completedS();
  }
}
