package io.elastune.executor.decision.model;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What chains that share instances have left, at the mean durations of the plan (docs/searches.md,
 * "Shared instances").
 */
public final class PoolProgress {
  private final RunDefinition definition;
  private final RunState state;

  /** Creates the view of a run whose plan is shared. */
  public PoolProgress(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
  }

  /**
   * Returns the allocation of the pool: every group that has not ended has its offer and its
   * instances.
   */
  public Allocation allocation() {
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
      int present = state.chains().get(chain).group();
      if (present < groups.size()) {
        return state.allocation(definition, groups.get(present));
      }
    }
    return definition.plan().of(definition.workload().groups().get(0));
  }

  /** Returns the offer of the pool. */
  public Offer offer() {
    return definition.offer(allocation().offer());
  }

  /**
   * Returns the groups of a chain that have not ended, each with the tasks that have not; without
   * groups that have none.
   */
  public List<PoolGroup> groups(int chain) {
    ChainState at = state.chains().get(chain);
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    List<PoolGroup> left = new ArrayList<>();
    for (int i = at.group(); i < groups.size(); i++) {
      TrialGroup group = groups.get(i);
      int tasks =
          i == at.group() && at.started().size() > i
              ? at.waiting().size() + attempts(chain)
              : at.trialsToTrain(group, state.trials());
      if (tasks > 0) {
        int gpus = state.allocation(definition, group).gpusPerTrial();
        left.add(new PoolGroup(tasks, gpus, taskS(group)));
      }
    }
    return left;
  }

  private int attempts(int chain) {
    int attempts = 0;
    for (AttemptState attempt : state.attempts().values()) {
      attempts += attempt.chain() == chain ? 1 : 0;
    }
    return attempts;
  }

  /**
   * Returns the mean seconds of a task of a group: start-up and training; its units where nothing
   * is predicted.
   */
  public double taskS(TrialGroup group) {
    return Optional.ofNullable(definition.hangLimits().get(group.name()))
        .flatMap(HangLimit::predicted)
        .map(duration -> duration.seconds(group.units(), 1))
        .orElse((double) group.units());
  }

  /** Returns the chains in the order in which they are served. */
  public List<Integer> order() {
    double[] pathS =
        IntStream.range(0, state.chains().size())
            .mapToDouble(chain -> PoolRules.pathS(groups(chain)))
            .toArray();
    Comparator<Integer> byPath =
        (one, other) ->
            one.equals(other)
                ? 0
                : PoolRules.goesFirst(pathS[one], one, pathS[other], other) ? -1 : 1;
    return IntStream.range(0, pathS.length).boxed().sorted(byPath).toList();
  }

  /** Returns how many instances the chains need, at most those of the plan. */
  public int instances() {
    int gpus = offer().gpus();
    double demandGpus = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      demandGpus += PoolRules.demandGpus(groups(chain), gpus);
    }
    return Math.min(allocation().instances(), PoolRules.keptInstances(demandGpus, gpus));
  }
}
