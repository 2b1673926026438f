package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.search.RungState;
import io.elastune.core.search.TrialResult;
import io.elastune.core.time.Seconds;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.InstanceTimes;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.TrialsRun;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.HyperSchedProgress;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Forecasts the rest of a search that HyperSched runs: plays it from the present state, with mean
 * durations and {@link PresentRanks}.
 *
 * @param leftS seconds to the deadline
 */
record HyperSchedForecast(
    RunState state, RungRule rule, HyperSchedDefinition definition, double leftS) {
  /** A unit that takes longer than expected ends soon. */
  private static final double MOST_OF_UNIT = 0.99;

  private static final Set<TrialState.Status> IN_PROGRESS =
      EnumSet.of(TrialState.Status.WAITING, TrialState.Status.RUNNING);

  /**
   * Returns the seconds until the search ends.
   *
   * @param before what the policy knows; empty before the first trial
   * @param gpusPerInstance GPUs of each instance
   * @param readyS by instance: the seconds until it is ready
   */
  double seconds(Optional<HyperSchedProgress> before, int gpusPerInstance, double[] readyS) {
    HyperSchedPolicy policy = new HyperSchedPolicy(definition.rule(), definition);
    HyperSchedProgress from = before.orElseGet(() -> HyperSchedProgress.of(policy.initial()));
    TrialsRun search = new TrialsRun(rule.trials(), units());
    int issued = state.trials().size();
    search.beginsAfter(issued);
    Admission admission =
        from.state().isClosed()
            ? Admission.NONE
            : Admission.startable(rule.trials(), readyS.length * gpusPerInstance)
                .after(issued, from.state().started().cardinality());
    Means means = new Means(from.state());
    ViewPolicy<HyperSchedState> run =
        new ViewPolicy<>(
                policy,
                search,
                means,
                new ViewPolicy.Cluster(
                    readyS.length,
                    gpusPerInstance,
                    admission,
                    phase -> HyperSchedPolicy.GROUP,
                    definition.timing()))
            .from(from.state(), from.times(), () -> begun(search, from.state()));
    return new Timeline(search, run, means, InstanceTimes.readyAt(readyS), gpusPerInstance)
        .stoppedAt(leftS)
        .play();
  }

  private int units() {
    return rule.target(rule.lastRung());
  }

  /** The trials that have begun and may be trained further. */
  private List<ViewPolicy.Begun> begun(TrialsRun search, HyperSchedState from) {
    List<ViewPolicy.Begun> begun = new ArrayList<>();
    for (TrialState trial : state.trials().values()) {
      if (IN_PROGRESS.contains(trial.status()) && trial.lastReport().unit() < units()) {
        Task task = search.begun(trial.trial());
        List<PolicyView.Report> reports = trial.reports();
        if (!reports.isEmpty()) {
          PolicyView.Report last = reports.get(reports.size() - 1);
          task.continuesAfter(last.unit(), last.trainedS());
        }
        begun.add(new ViewPolicy.Begun(task, reports, from.started().get(trial.trial())));
      }
    }
    return begun;
  }

  /** Mean durations and present ranks. */
  private final class Means implements TrialTimes {
    private final PresentRanks ranks;
    private final Map<Integer, AttemptState> begun = new HashMap<>();

    Means(HyperSchedState from) {
      ranks =
          new PresentRanks(
              List.of(from.results().stream().map(HyperSchedForecast::ranked).toList()),
              rule.shares());
      state.attempts().values().stream()
          .filter(AttemptState::isActive)
          .forEach(attempt -> begun.put(attempt.trial(), attempt));
    }

    private boolean isTraining(AttemptState attempt) {
      return attempt.lastUnit() > attempt.from();
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      AttemptState attempt = begun.remove(task.trial());
      double startupS = attempt != null && isTraining(attempt) ? 0 : definition.startupS();
      task.trains(startupS, definition.perUnit(task.width()));
      if (attempt != null) {
        task.hasBegunFor(begunS(attempt, startupS));
      }
    }

    /** The seconds for which the start-up or the unit of an attempt has lasted. */
    private double begunS(AttemptState attempt, double startupS) {
      double mostS = startupS + MOST_OF_UNIT * definition.perUnit(attempt.width());
      double sinceS = Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
      return Math.min(mostS, sinceS);
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
