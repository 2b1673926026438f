package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidState;
import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Forecasts the rest of a search made of rungs under Fluid: plays it from the present state, with
 * {@link PresentRanks} and the paces of the trials. The unit that a trial trains now counts as not
 * begun.
 *
 * @param leftS seconds to the time that ends the search; infinite without one
 */
record FluidRungForecast(ForecastBasis basis, RungRule rule, FluidPaces paces, double leftS) {

  private static final int CHAIN = 0;

  /**
   * Returns the seconds until the search ends.
   *
   * @param rungs the state of the search
   * @param offer the offer of all instances
   * @param readyS by instance: the seconds until it is ready
   */
  double seconds(RungState rungs, Offer offer, double[] readyS) {
    int gpusPerInstance = offer.gpus();
    int instances = readyS.length;
    RungsRun search = new RungsRun(rule, rungs, rule.newUnitS());
    Times times = new Times(new PresentRanks(rungs, rule.shares()), offer);
    SharedInstances held = new SharedInstances(basis, offer);
    FluidPolicy policy = FluidPolicy.ofOpenGroup(paces.fluid().rule(), paces.fluid());
    int unfinished = rule.mostTasks(instances * gpusPerInstance);
    ViewPolicy<FluidState> run =
        new ViewPolicy<>(
                policy,
                search,
                times,
                new ViewPolicy.Cluster(
                    instances,
                    gpusPerInstance,
                    Admission.unfinished(unfinished),
                    phase -> FluidPolicy.OPEN_GROUP,
                    PolicyView.Timing.NONE))
            .from(policy.initial(), MeasuredTimes.NONE, () -> begun(rungs, search, held));
    Timeline timeline =
        new Timeline(search, run, times, held.times(readyS), gpusPerInstance).stoppedAt(leftS);
    if (basis.definition().keepAlive()) {
      var unused = search.withPlaces();
      timeline.withPlaces(true).begin();
      PastPlaces.ofRungs(basis.state(), basis.held(), search).record(timeline);
    }
    return timeline.play();
  }

  /** The tasks that were issued. */
  private List<ViewPolicy.Begun> begun(RungState rungs, RungsRun search, SharedInstances held) {
    List<ViewPolicy.Begun> begun = new ArrayList<>();
    rungs
        .tasks()
        .forEach(
            (trial, rung) -> {
              int from = rule.fromUnit(rule.shares().bracket(trial), rung);
              Task task = search.running(new Train(trial, rung, from, rule.target(rung)));
              task.continuesAfter(task.units() - unitsLeft(trial, rung), 0);
              begun.add(
                  new ViewPolicy.Begun(
                      task,
                      List.of(),
                      false,
                      attempt(trial).flatMap(it -> held.startOf(it, trial))));
            });
    return begun;
  }

  private int unitsLeft(int trial, int rung) {
    TrialState known = basis.state().trials().get(trial);
    int resumed = rule.fromScratch() || known == null ? 0 : known.checkpoint();
    int reached = attempt(trial).map(AttemptState::lastUnit).orElse(resumed);
    return Math.max(1, rule.target(rung) - reached);
  }

  private Optional<AttemptState> attempt(int trial) {
    return basis.state().attempts().values().stream()
        .filter(attempt -> attempt.trial() == trial && attempt.isActive())
        .findFirst();
  }

  /** Durations at the pace of each trial. */
  private final class Times implements TrialTimes {
    private final PresentRanks ranks;
    private final Optional<Profile> profile;

    /** The trials that train now, until they start in the forecast. */
    private final Set<Integer> training = new HashSet<>();

    Times(PresentRanks ranks, Offer offer) {
      this.ranks = ranks;
      this.profile = basis.forecastProfile(offer);
      basis.state().attempts().values().stream()
          .filter(attempt -> attempt.isActive() && attempt.isPastStartup())
          .forEach(attempt -> training.add(attempt.trial()));
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      double startupS =
          training.remove(task.trial()) || !starts
              ? 0
              : paces.fluid().startupS()
                  * basis.draws().startup(profile, CHAIN, task.group(), task.trial());
      task.trains(
          startupS, paces.fluid().perUnit(task.width()) * pace(task, true) * instance.slowness());
    }

    private double factor(Task task) {
      boolean isMeasured = paces.isMeasured(task.trial());
      return basis
          .draws()
          .units(profile, task.units(), isMeasured, CHAIN, task.group(), task.trial());
    }

    @Override
    public double checkpointS() {
      return paces.fluid().checkpointS();
    }

    @Override
    public double pace(Task task, boolean hasReported) {
      return paces.of(task.trial()) * (hasReported ? factor(task) : 1);
    }

    @Override
    public double loss(Task task) {
      return ranks.loss(task.trial(), task.group());
    }
  }
}
