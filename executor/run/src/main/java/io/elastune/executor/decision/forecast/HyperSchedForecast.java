package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungState;
import io.elastune.core.search.TrialResult;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.TrialsRun;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.HyperSchedProgress;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Forecasts the rest of a search that HyperSched runs: plays it from the present state, with {@link
 * PresentRanks}.
 *
 * @param leftS seconds to the deadline
 */
record HyperSchedForecast(
    ForecastBasis basis, RungRule rule, HyperSchedDefinition definition, double leftS) {
  private static final int CHAIN = 0;

  private static final Set<TrialState.Status> IN_PROGRESS =
      EnumSet.of(TrialState.Status.WAITING, TrialState.Status.RUNNING);

  /**
   * Returns the seconds until the search ends.
   *
   * @param before what the policy knows; empty before the first trial
   * @param offer the offer of all instances
   * @param readyS by instance: the seconds until it is ready
   */
  double seconds(Optional<HyperSchedProgress> before, Offer offer, double[] readyS) {
    int gpusPerInstance = offer.gpus();
    HyperSchedPolicy policy = new HyperSchedPolicy(definition.rule(), definition);
    HyperSchedProgress from = before.orElseGet(() -> HyperSchedProgress.of(policy.initial()));
    TrialsRun search = new TrialsRun(rule.trials(), units());
    int issued = basis.state().trials().size();
    search.beginsAfter(issued);
    Admission admission =
        from.state().isClosed()
            ? Admission.NONE
            : Admission.startable(rule.trials(), readyS.length * gpusPerInstance)
                .after(issued, from.state().started().cardinality());
    Times times = new Times(from.state(), offer);
    ViewPolicy<HyperSchedState> run =
        new ViewPolicy<>(
                policy,
                search,
                times,
                new ViewPolicy.Cluster(
                    readyS.length,
                    gpusPerInstance,
                    admission,
                    phase -> HyperSchedPolicy.GROUP,
                    definition.timing()))
            .from(from.state(), from.times(), () -> begun(search, from.state()));
    return new Timeline(
            search, run, times, new SharedInstances(basis, offer).times(readyS), gpusPerInstance)
        .stoppedAt(leftS)
        .play();
  }

  private int units() {
    return rule.target(rule.lastRung());
  }

  /** The trials that have begun and may be trained further. */
  private List<ViewPolicy.Begun> begun(TrialsRun search, HyperSchedState from) {
    List<ViewPolicy.Begun> begun = new ArrayList<>();
    for (TrialState trial : basis.state().trials().values()) {
      if (IN_PROGRESS.contains(trial.status()) && trial.lastReport().unit() < units()) {
        Task task = search.begun(trial.trial());
        List<PolicyView.Report> reports = trial.reports();
        if (!reports.isEmpty()) {
          PolicyView.Report last = reports.get(reports.size() - 1);
          task.continuesAfter(last.unit(), last.trainedS());
        }
        begun.add(
            new ViewPolicy.Begun(
                task, reports, from.started().get(trial.trial()), Optional.empty()));
      }
    }
    return begun;
  }

  /** Durations and present ranks. */
  private final class Times implements TrialTimes {
    private final PresentRanks ranks;
    private final Optional<Profile> profile;
    private final Map<Integer, AttemptState> begun = new HashMap<>();

    Times(HyperSchedState from, Offer offer) {
      profile = basis.forecastProfile(offer);
      ranks =
          new PresentRanks(
              List.of(from.results().stream().map(HyperSchedForecast::ranked).toList()),
              rule.shares());
      basis.state().attempts().values().stream()
          .filter(AttemptState::isActive)
          .forEach(attempt -> begun.put(attempt.trial(), attempt));
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      AttemptState attempt = begun.remove(task.trial());
      double startupS =
          attempt != null && attempt.isPastStartup()
              ? 0
              : definition.startupS() * basis.draws().startup(profile, CHAIN, 0, task.trial());
      double unitS =
          definition.perUnit(task.width())
              * basis.draws().units(profile, units(), false, CHAIN, 0, task.trial())
              * instance.slowness();
      task.trains(startupS, unitS);
      if (attempt != null) {
        task.hasBegunFor(basis.begunS(attempt, startupS, unitS));
      }
    }

    @Override
    public double checkpointS() {
      return definition.checkpointS();
    }

    @Override
    public double loss(Task task, int unit) {
      return ranks.loss(task.trial(), rule.rungAt(unit));
    }
  }

  /** The results of a rung, best first. */
  private static List<RungState.Entry> ranked(Map<Integer, Double> losses) {
    return losses.entrySet().stream()
        .map(loss -> new TrialResult(loss.getKey(), loss.getValue()))
        .sorted()
        .map(result -> new RungState.Entry(result, false))
        .toList();
  }
}
