package io.elastune.cli.execute;

import io.elastune.core.job.Job;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.rehearsal.AcceleratedClock;
import io.elastune.executor.rehearsal.ProfileBasedTraining;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * A simulated environment without faults, in accelerated time: nothing is rented, started or
 * charged.
 *
 * @param problem the offers and profiles that the simulation uses
 * @param expectedS predicted duration of the run in seconds
 * @param start when the run starts, also in virtual time
 */
record SimulatedRunEnvironment(Problem problem, double expectedS, Instant start)
    implements RunEnvironment {
  /** Lowest ratio of virtual time to real time. */
  private static final double LEAST_FACTOR = 200;

  /** A run that takes as long as predicted is shown in at most this many seconds. */
  private static final double SHOWN_IN_S = 20;

  /** Starts at a whole millisecond: the journal stores no more, and rounds alike in every run. */
  SimulatedRunEnvironment {
    start = start.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns whether a run that uses {@code offers} is simulated. */
  static boolean isSimulated(Collection<Offer> offers) {
    return !offers.isEmpty() && offers.stream().allMatch(Offer::isSimulated);
  }

  /**
   * Returns whether a simulated run may change its plan: with {@code market: auto}, where that
   * decides the market during the run. The simulated training does not follow a change of the
   * number of trials that share a GPU.
   */
  static boolean mayReplan(Job job, Problem problem) {
    return job.resources().market() == MarketChoice.AUTO
        && problem.profiles().values().stream()
            .allMatch(profile -> profile.secondsBySharing().isEmpty());
  }

  private double factor() {
    return Math.max(LEAST_FACTOR, Math.rint(expectedS / SHOWN_IN_S));
  }

  /** Returns a line that states that the run is simulated. */
  String notice() {
    return String.format(
        Locale.ROOT,
        "Simulated from offers and profile, %.0f times faster than real time: nothing is rented,"
            + " trained or charged, and the metrics are synthetic.",
        factor());
  }

  @Override
  public RunController createController(
      RunSpec spec, RunListener listener, Optional<Advisors.BudgetApprover> budgetApprover) {
    RunDefinition definition = spec.definition();
    RandomStream randomStream = RandomStream.of(spec.job().search().seed());
    SimulatedEnvironment world =
        new SimulatedEnvironment(
            spec.job().search().seed(),
            new ProfileBasedTraining(
                    problem,
                    definition.metric().name(),
                    randomStream.substream("training"),
                    FaultRates.NONE.trials())
                .of(definition.plan()),
            start);
    AcceleratedClock time = new AcceleratedClock(world, definition, factor());
    return new RunController(
        spec,
        world::cloud,
        world::engine,
        time,
        time::eventsOf,
        listener,
        definition
            .planning()
            .map(with -> Advisors.waiting(new PlannerReplanner(definition)))
            .orElse(Advisors.NONE));
  }
}
