package io.elastune.executor.rehearsal;

import io.elastune.executor.core.RunCore;
import io.elastune.executor.core.RunState;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.SimulatedWorld;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Carries a job out in simulated worlds. One seed always gives the same run, event for event. */
public final class Rehearsal {
  /** A run that has not ended after so much virtual time will never end: two years. */
  private static final double FOREVER_S = 2 * 365 * 86_400.0;

  /** What is still alive so long after a run's end is leaked. */
  private static final Duration LEAKED_AFTER = Duration.ofHours(1);

  private final RehearsedJob job;
  private final UnaryOperator<Decider> meddling;

  public Rehearsal(RehearsedJob job) {
    this(job, UnaryOperator.identity());
  }

  /** {@code meddling} may put a deliberate mistake into the core, to see whether it is caught. */
  public Rehearsal(RehearsedJob job, UnaryOperator<Decider> meddling) {
    this.job = job;
    this.meddling = meddling;
  }

  /** Carries the job out once. */
  public RehearsedRun play(long seed) {
    Chance chance = Chance.of(seed);
    SimulatedWorld world =
        new SimulatedWorld(
            seed,
            job.faults(),
            new ProfiledTraining(
                job.problem(),
                job.definition().plan(),
                job.definition().metric().name(),
                chance.at("training"),
                job.faults().trials()));
    Decider decider = meddling.apply(new RunCore(job.definition())::step);
    Controller controller = new Controller(job, world, decider);
    Verdict verdict = new Verdict(job.definition(), world.book());
    controller.begin();
    while (!controller.finished() && world.time().seconds() < FOREVER_S && world.time().step()) {
      verdict.look(controller.state());
    }
    verdict.ended(controller.state(), controller.completedS());
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
        verdict.broken());
  }

  private static double end(Controller controller) {
    return Double.isNaN(controller.completedS()) ? 0 : controller.completedS();
  }
}
