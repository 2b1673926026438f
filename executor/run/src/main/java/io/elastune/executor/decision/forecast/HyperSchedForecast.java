package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.TaskList;
import io.elastune.core.policy.TaskSource;
import io.elastune.core.policy.Width;
import io.elastune.core.search.NewTrials;
import io.elastune.core.search.RungState;
import io.elastune.core.search.TrialResult;
import io.elastune.core.time.Seconds;
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
    PolicyTimeline<HyperSchedState> timeline =
        new PolicyTimeline<>(policy, from.state(), from.times(), gpusPerInstance, readyS);
    TaskSource tasks =
        from.state().isClosed()
            ? new TaskList(begun())
            : new NewTrials(
                rule,
                readyS.length * gpusPerInstance,
                () -> timeline.state().started().cardinality(),
                begun(),
                state.trials().size());
    return timeline.run(NewTrials.GROUP, tasks, 0, new Means(from.state()));
  }

  /** The trials that have begun and may be trained further. */
  private List<TaskSource.Task> begun() {
    List<TaskSource.Task> tasks = new ArrayList<>();
    int units = rule.target(rule.lastRung());
    for (TrialState trial : state.trials().values()) {
      if (IN_PROGRESS.contains(trial.status()) && trial.lastReport().unit() < units) {
        tasks.add(new TaskSource.Task(trial.trial(), NewTrials.GROUP, units, trial.reports()));
      }
    }
    return tasks;
  }

  /** Mean durations and present ranks. */
  private final class Means implements GroupTimeline.Model {
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
    public double begunS(int trial) {
      AttemptState attempt = begun.remove(trial);
      if (attempt == null) {
        return 0;
      }
      double startupS = isTraining(attempt) ? 0 : definition.startupS();
      double mostS = startupS + MOST_OF_UNIT * definition.perUnit(attempt.width());
      double sinceS = Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
      return Math.min(mostS, sinceS);
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      AttemptState attempt = begun.get(trial);
      return attempt != null && isTraining(attempt) ? 0 : definition.startupS();
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return definition.perUnit(width);
    }

    @Override
    public double checkpointS(int trial) {
      return definition.checkpointS();
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      return ranks.loss(trial, rule.rungAt(unit));
    }

    @Override
    public PolicyView.Timing timing(double nowS) {
      return new PolicyView.Timing(
          leftS - nowS, definition.timing().startupS(), definition.timing().unitS());
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
