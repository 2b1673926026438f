package io.elastune.executor.decision;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tasks of a search made of rungs as one open group, which a policy divides a fixed cluster
 * among (docs/searches.md, "Fluid").
 */
final class RungGroup implements PolicyTasks {
  private static final int CHAIN = RungChain.INDEX;

  private final Transition transition;
  private final RungRule rule;
  private final TrialGroup phase;
  private final PolicyCluster cluster;

  RungGroup(Transition transition, RungRule rule) {
    this.transition = transition;
    this.rule = rule;
    this.phase = transition.group(CHAIN).orElseThrow();
    this.cluster = new PolicyCluster(transition, CHAIN);
  }

  @Override
  public PolicyCluster cluster() {
    return cluster;
  }

  private RungState state() {
    return transition.chain(CHAIN).rungs().orElseThrow();
  }

  /** Returns the trials with a task that was issued and does not run. */
  static List<Integer> waiting(Transition transition) {
    Set<Integer> running =
        transition.attempts().stream().map(AttemptState::trial).collect(Collectors.toSet());
    return transition.chain(CHAIN).rungs().orElseThrow().tasks().keySet().stream()
        .filter(trial -> !running.contains(trial))
        .toList();
  }

  @Override
  public PolicyView view(Tasks tasks) {
    List<PolicyView.Task> waiting =
        waiting(transition).stream()
            .map(transition::trial)
            .filter(TrialState::isConfigured)
            .map(trial -> tasks.of(trial.trial(), unitsLeft(trial)))
            .toList();
    return new PolicyView(
        FluidPolicy.OPEN_GROUP,
        cluster.instances(transition.allocation(phase).offer()),
        waiting,
        cluster.running(attempt -> tasks.of(attempt.trial(), cluster.unitsLeft(attempt))));
  }

  private int unitsLeft(TrialState trial) {
    int to = task(trial).to();
    return to - (phase.fromScratch() ? 0 : Math.min(trial.checkpoint(), to - 1));
  }

  private Train task(TrialState trial) {
    int rung = Objects.requireNonNull(state().tasks().get(trial.trial()), "a waiting task");
    return new Train(trial.trial(), rung, trial.checkpoint(), rule.target(rung));
  }

  @Override
  public void start(PolicyDecision.Start start) {
    TrialState trial = transition.trial(start.trial());
    RungTasks.start(
        transition, phase, task(trial), trial, cluster.slots(start), start.width().trialsPerGpu());
  }
}
