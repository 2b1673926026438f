package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.SearchDecision;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.CheckpointLinks;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Starts the tasks of a search made of rungs. */
final class RungTasks {
  private RungTasks() {}

  /**
   * Starts a task on the first of the free slots; a trial that hung, on another instance if
   * possible.
   *
   * @param again whether the task was interrupted
   */
  static void start(
      Transition transition,
      TrialGroup group,
      SearchDecision.Train task,
      List<List<GpuSlot>> free,
      boolean again) {
    boolean isNew = !transition.trials().containsKey(task.trial());
    if (isNew) {
      transition.addTrial(TrialState.fresh(task.trial(), RungScheduler.CHAIN));
      Proposals.request(transition, List.of(task.trial()));
      if (!transition.trial(task.trial()).isConfigured()) {
        return; // it starts as an interrupted task, once it has its configuration
      }
    }
    TrialState trial = transition.trial(task.trial());
    List<GpuSlot> slot =
        free.stream()
            .filter(one -> !trial.hung() || !trial.home().contains(one.get(0).lease()))
            .findFirst()
            .orElse(free.get(0));
    if (!isNew && !again) {
      transition.recordDecision(
          DecisionKind.PROMOTE,
          DecisionReason.of(
              ReasonCode.TRIAL_PROMOTED,
              Integer.toString(task.trial()),
              Integer.toString(trial.unit()),
              Integer.toString(task.to())),
          Map.of("metric", trial.metric().orElse(Double.NaN)));
    }
    start(transition, group, task, trial, slot);
  }

  /** Starts a task of a trial that has its configuration on certain GPUs. */
  static void start(
      Transition transition,
      TrialGroup group,
      SearchDecision.Train task,
      TrialState trial,
      List<GpuSlot> slot) {
    transition.trial(trial.trial(), state -> state.started(slot));
    String id = AttemptState.id(trial.trial(), group.name(), trial.attempts() + 1);
    int trialsPerGpu = transition.allocation(group).trialsPerGpu();
    int from = group.fromScratch() ? 0 : Math.min(trial.checkpoint(), task.to() - 1);
    transition.put(
        new AttemptState(
            id,
            trial.trial(),
            RungScheduler.CHAIN,
            group.name(),
            from,
            task.to(),
            slot,
            transition.now,
            CheckpointLinks.NONE,
            trialsPerGpu));
    slot.stream()
        .map(GpuSlot::lease)
        .distinct()
        .flatMap(lease -> transition.lease(lease).stream())
        .forEach(lease -> transition.put(lease.busy(transition.now)));
    transition.command(
        new Command.StartAttempt(
            id,
            trial.trial(),
            group.name(),
            from,
            task.to(),
            slot,
            CheckpointLinks.NONE,
            OptionalInt.empty(),
            trialsPerGpu));
  }
}
