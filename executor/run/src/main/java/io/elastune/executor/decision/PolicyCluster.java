package io.elastune.executor.decision;

import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyView;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The instances that a policy divides among trials, and the attempts on them, as it sees them. */
final class PolicyCluster {
  private final Transition transition;
  private final int chain;

  PolicyCluster(Transition transition, int chain) {
    this.transition = transition;
    this.chain = chain;
  }

  /** Returns the instances that are held. */
  List<PolicyView.Instance> instances(String offer) {
    int gpus = transition.definition.offer(offer).gpus();
    return transition.held(chain, offer).stream()
        .map(lease -> new PolicyView.Instance(lease.number(), gpus, lease.isReady()))
        .toList();
  }

  /** Returns what runs, in the order of the starts. */
  List<PolicyView.Running> running(Function<AttemptState, PolicyView.Task> task) {
    return transition.attempts().stream()
        .sorted(Comparator.comparing(AttemptState::startedAt).thenComparingInt(AttemptState::trial))
        .map(attempt -> running(attempt, task.apply(attempt)))
        .toList();
  }

  /** Returns the units that an attempt still has to train. */
  int unitsLeft(AttemptState attempt) {
    return attempt.done() ? 0 : attempt.to() - attempt.lastUnit();
  }

  private PolicyView.Running running(AttemptState attempt, PolicyView.Task task) {
    boolean isAtUnitEnd =
        unitsLeft(attempt) > 0
            && attempt.hasReported()
            && attempt.lastSign().equals(transition.now);
    return new PolicyView.Running(
        task,
        attempt.width(),
        lease(attempt).number(),
        attempt.places().stream().map(GpuSlot::gpu).toList(),
        isAtUnitEnd,
        !attempt.isActive());
  }

  /** No trial exceeds one instance. */
  private LeaseState lease(AttemptState attempt) {
    return transition.lease(attempt.places().get(0).lease()).orElseThrow();
  }

  /** Returns the GPUs on which a task starts. */
  List<GpuSlot> slots(PolicyDecision.Start start) {
    String lease = transition.lease(start.instance()).lease();
    return start.gpus().stream().map(gpu -> new GpuSlot(lease, gpu)).toList();
  }

  /**
   * The trial completes its unit, writes a checkpoint, and waits with its new width.
   *
   * @param unitS mean seconds per unit
   * @param checkpointS mean seconds to write a checkpoint
   */
  void resize(PolicyDecision.Resize resize, double unitS, double checkpointS) {
    AttemptState attempt = attempt(resize.trial());
    end(attempt, AttemptState.EndReason.RESIZED, unitS, checkpointS);
    transition.recordDecision(
        DecisionKind.RESIZE,
        DecisionReason.of(
            ReasonCode.TRIAL_RESIZED,
            Integer.toString(resize.trial()),
            resize.from().toString(),
            resize.to().toString()),
        Map.of("unit", (double) attempt.lastUnit()));
  }

  /**
   * The trial completes its unit, writes a checkpoint, and waits.
   *
   * @param why a reason whose details are the trial and its last unit
   */
  void preempt(int trial, ReasonCode why, double unitS, double checkpointS) {
    AttemptState attempt = attempt(trial);
    end(attempt, AttemptState.EndReason.PREEMPTED, unitS, checkpointS);
    transition.recordDecision(
        DecisionKind.PREEMPT,
        DecisionReason.of(why, Integer.toString(trial), Integer.toString(attempt.lastUnit())),
        Map.of());
  }

  private void end(
      AttemptState attempt, AttemptState.EndReason why, double unitS, double checkpointS) {
    transition.put(attempt.ending(why, transition.now));
    transition.command(UnitGrace.stop(attempt, unitS, checkpointS));
  }

  AttemptState attempt(int trial) {
    return transition.attempts().stream()
        .filter(attempt -> attempt.trial() == trial)
        .findFirst()
        .orElseThrow();
  }
}
