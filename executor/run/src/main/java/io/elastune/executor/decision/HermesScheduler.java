package io.elastune.executor.decision;

import io.elastune.core.policy.HermesPolicy;
import io.elastune.core.policy.HermesState;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyView;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.engine.EngineEvent;

/**
 * Runs a trial group on a fixed cluster on whose GPUs trials take turns by {@link HermesPolicy}
 * (docs/searches.md, "Hermes").
 */
final class HermesScheduler {
  private static final int CHAIN = PolicyGroups.CHAIN;

  private final Transition transition;
  private final HermesDefinition hermes;
  private final HermesPolicy policy;
  private final PolicyGroups groups;

  private HermesScheduler(Transition transition) {
    this.transition = transition;
    this.hermes = transition.definition.hermes().orElseThrow();
    this.policy = new HermesPolicy(hermes.rule());
    this.groups = new PolicyGroups(transition);
  }

  /** Whether Hermes divides the instances of the run. */
  static boolean handles(Transition transition) {
    return transition.definition.hermes().isPresent();
  }

  /** Starts the trials for which there are GPUs, and ends the completed group. */
  static void advance(Transition transition) {
    PolicyGroups.advance(transition, now -> new HermesScheduler(now).assign());
  }

  /**
   * Keeps a report, and lets another trial take its turn at the end of a slice.
   *
   * @param before the attempt before the report
   */
  static void reported(Transition transition, AttemptState before, EngineEvent.Reported event) {
    if (!PolicyGroups.isNew(transition, before, event)) {
      return;
    }
    HermesScheduler scheduler = new HermesScheduler(transition);
    HermesDefinition hermes = scheduler.hermes;
    TrialReports.record(
        transition,
        before,
        event,
        hermes.startupS(),
        hermes.unitS(),
        transition.trial(before.trial()).meanUnitS());
    if (scheduler.policy.usesUnitEnds(scheduler.state())) {
      scheduler.assign();
    }
  }

  private HermesState state() {
    return transition.chain(CHAIN).hermes().orElseGet(policy::initial);
  }

  private void assign() {
    PolicyStep<HermesState> step = policy.assign(state(), groups.view(this::task));
    transition.chain(CHAIN, transition.chain(CHAIN).withHermes(step.state()));
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        groups.start(start);
      } else if (decision instanceof PolicyDecision.Preempt preempt) {
        groups
            .cluster()
            .preempt(
                preempt.trial(), ReasonCode.TRIAL_PREEMPTED, hermes.unitS(), hermes.checkpointS());
      }
    }
  }

  private PolicyView.Task task(int trial, int unitsLeft) {
    return new PolicyView.Task(trial, unitsLeft, 1, transition.trial(trial).reports());
  }
}
