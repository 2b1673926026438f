package io.elastune.cli.run;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.rehearsal.AcceleratedTime;
import io.elastune.executor.rehearsal.ProfiledTraining;
import io.elastune.executor.shell.Advisers;
import io.elastune.executor.shell.RunListener;
import io.elastune.executor.shell.RunShell;
import io.elastune.executor.shell.RunSpec;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Faults;
import io.elastune.executor.world.SimulatedWorld;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * A simulated world without faults, in accelerated time: nothing is rented, started or charged.
 *
 * @param problem the offers and profiles by which the world goes
 * @param expectedS seconds that the run is predicted to take
 * @param start when the run begins, in that world too
 */
record SimulatedGround(Problem problem, double expectedS, Instant start) implements Ground {
  /** How many times faster than everybody's time, at least. */
  private static final double LEAST_FACTOR = 200;

  /** A run that goes as predicted is shown in so many seconds at most. */
  private static final double SHOWN_IN_S = 20;

  /** Whether that is where what uses {@code offers} is carried out. */
  static boolean isMeant(Collection<Offer> offers) {
    return !offers.isEmpty() && offers.stream().allMatch(Offer::inVirtualTime);
  }

  private double factor() {
    return Math.max(LEAST_FACTOR, Math.rint(expectedS / SHOWN_IN_S));
  }

  /** Says that it is not for real. */
  String remark() {
    return String.format(
        Locale.ROOT,
        "Simulated, %.0f times faster than in truth, by offers and profile: nothing is rented or"
            + " trained, no money is spent, and the metrics are made up.",
        factor());
  }

  @Override
  public RunShell shell(RunSpec spec, RunListener listener, Optional<Advisers.Payer> payer) {
    RunDefinition definition = spec.definition();
    Chance chance = Chance.of(spec.job().search().seed());
    SimulatedWorld world =
        new SimulatedWorld(
            spec.job().search().seed(),
            new ProfiledTraining(
                problem,
                group -> Optional.ofNullable(definition.plan().allocations().get(group)),
                definition.metric().name(),
                chance.at("training"),
                Faults.NONE.trials()),
            start);
    AcceleratedTime time = new AcceleratedTime(world, definition, factor());
    return new RunShell(spec, world::cloud, world::engine, time, time::of, listener, Advisers.NONE);
  }
}
