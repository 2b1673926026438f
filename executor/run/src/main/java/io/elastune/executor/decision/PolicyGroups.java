package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyView;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.engine.EngineEvent;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs trial groups on a fixed cluster that a policy divides among the trials (docs/searches.md,
 * "Scheduling policies of fixed clusters"). Groups begin and end as under list scheduling.
 */
final class PolicyGroups implements PolicyTasks {
  /** The only chain of such a search. */
  static final int CHAIN = 0;

  private final Transition transition;
  private final TrialGroup group;
  private final PolicyCluster cluster;

  PolicyGroups(Transition transition) {
    this.transition = transition;
    this.group = transition.group(CHAIN).orElseThrow();
    this.cluster = new PolicyCluster(transition, CHAIN);
  }

  /**
   * Starts the trials for which there are GPUs, and ends completed groups.
   *
   * @param assign applies the decisions of the policy
   */
  static void advance(Transition transition, Consumer<Transition> assign) {
    boolean ended = true;
    while (ended && transition.running() && transition.group(CHAIN).isPresent()) {
      assign.accept(transition);
      ended = Scheduler.endGroupIfDone(transition, CHAIN);
    }
    ClusterManager.releaseSurplus(transition, CHAIN);
  }

  /**
   * Whether a report is the first one of its unit, in a group in progress.
   *
   * @param before the attempt before the report
   */
  static boolean isNew(Transition transition, AttemptState before, EngineEvent.Reported event) {
    boolean isRepeated = event.unit() <= before.lastUnit() || event.unit() > before.to();
    return !isRepeated && transition.running() && transition.group(CHAIN).isPresent();
  }

  @Override
  public PolicyCluster cluster() {
    return cluster;
  }

  @Override
  public PolicyView view(Tasks tasks) {
    List<PolicyView.Task> waiting =
        transition.chain(CHAIN).waiting().stream()
            .filter(trial -> transition.trial(trial).isConfigured())
            .map(trial -> tasks.of(trial, group.toUnit() - resumeUnit(trial)))
            .toList();
    return new PolicyView(
        group.name(),
        cluster.instances(transition.allocation(group).offer()),
        waiting,
        cluster.running(attempt -> tasks.of(attempt.trial(), cluster.unitsLeft(attempt))));
  }

  private int resumeUnit(int trial) {
    return group.resumeUnit(transition.trial(trial).checkpoint());
  }

  @Override
  public void start(PolicyDecision.Start start) {
    Scheduler.startWaiting(
        transition, CHAIN, start.trial(), cluster.slots(start), start.width().trialsPerGpu());
  }
}
