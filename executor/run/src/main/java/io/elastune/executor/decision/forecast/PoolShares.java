package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.PoolProgress;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;

/**
 * The share of each trial group in the cost of instances that chains share: its GPU-seconds so far
 * at mean durations, as a fraction of those of all groups.
 */
final class PoolShares {
  private final RunDefinition definition;
  private final RunState state;
  private final PoolProgress progress;

  PoolShares(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
    this.progress = new PoolProgress(definition, state);
  }

  /** Returns the share of a group that has started; those of all such groups add up to 1. */
  double of(int chain, int group) {
    double all = sum(true);
    return all > 0 ? gpuS(chain, group, true) / all : gpuS(chain, group, false) / sum(false);
  }

  private double sum(boolean soFar) {
    double sum = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      for (int group = 0; group < state.chains().get(chain).started().size(); group++) {
        sum += gpuS(chain, group, soFar);
      }
    }
    return sum;
  }

  /** {@code soFar}: without what the group in progress has not trained. */
  private double gpuS(int chain, int index, boolean soFar) {
    ChainState at = state.chains().get(chain);
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    TrialGroup group = groups.get(index);
    boolean underWay = index >= at.ended().size();
    double tasks = soFar && underWay ? tasksSoFar(at, group) : group.trials();
    return tasks * progress.taskS(group) * state.allocation(definition, group).gpusPerTrial();
  }

  private double tasksSoFar(ChainState at, TrialGroup group) {
    double tasks = 0;
    for (int member : at.members()) {
      TrialState trial = state.trials().get(member);
      int trained = trial == null ? 0 : Math.min(trial.unit(), group.toUnit()) - group.fromUnit();
      tasks += Math.max(0, trained) / (double) group.units();
    }
    return tasks;
  }
}
