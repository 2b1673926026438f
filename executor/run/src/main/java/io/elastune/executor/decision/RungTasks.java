package io.elastune.executor.decision;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.SearchDecision;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Starts the tasks of a search made of rungs. */
final class RungTasks {
  private static final String BRACKET = "bracket";

  private RungTasks() {}

  /**
   * Starts a task on the first instance with a free slot; a trial that hung, on another one if
   * possible. There it gets the slot of its last attempt, where its workers may still wait, or else
   * the first.
   *
   * @param again whether the task was interrupted
   */
  static void start(
      Transition transition,
      TrialGroup group,
      SearchDecision.Train task,
      List<List<GpuSlot>> free,
      boolean again) {
    if (!again) {
      issue(transition, task);
    }
    TrialState trial = transition.trial(task.trial());
    if (!trial.isConfigured()) {
      return; // it starts as an interrupted task, once it has its configuration
    }
    int trialsPerGpu = transition.allocation(group).trialsPerGpu();
    start(transition, group, task, trial, slot(trial, free), trialsPerGpu);
  }

  private static List<GpuSlot> slot(TrialState trial, List<List<GpuSlot>> free) {
    List<GpuSlot> first =
        free.stream()
            .filter(one -> !trial.hung() || !trial.home().contains(one.get(0).lease()))
            .findFirst()
            .orElse(free.get(0));
    boolean isThere =
        free.contains(trial.slots()) && trial.slots().get(0).lease().equals(first.get(0).lease());
    return isThere ? trial.slots() : first;
  }

  /** Records a task that the search has issued: a new trial, or a promotion. */
  static void issue(Transition transition, SearchDecision.Train task) {
    if (!transition.trials().containsKey(task.trial())) {
      transition.addTrial(TrialState.fresh(task.trial(), RungChain.INDEX));
      Proposals.request(transition, List.of(task.trial()));
      return;
    }
    TrialState trial = transition.trial(task.trial());
    transition.recordDecision(
        DecisionKind.PROMOTE,
        DecisionReason.of(
            ReasonCode.TRIAL_PROMOTED,
            Integer.toString(task.trial()),
            Integer.toString(trial.unit()),
            Integer.toString(task.to())),
        withBracket(transition, task.trial(), Map.of("metric", trial.metric().orElse(Double.NaN))));
  }

  /** Adds the bracket of a trial to the numbers of a decision, if the search has several. */
  static Map<String, Double> withBracket(
      Transition transition, int trial, Map<String, Double> numbers) {
    RungRule rule = transition.definition.workload().rungs().orElseThrow();
    if (rule.brackets() == 1) {
      return numbers;
    }
    Map<String, Double> all = new TreeMap<>(numbers);
    all.put(BRACKET, (double) rule.shares().bracket(trial));
    return all;
  }

  /**
   * Starts a task of a trial that has its configuration on certain GPUs.
   *
   * @param trialsPerGpu trials that may share each of the GPUs, including this one
   */
  static void start(
      Transition transition,
      TrialGroup group,
      SearchDecision.Train task,
      TrialState trial,
      List<GpuSlot> slot,
      int trialsPerGpu) {
    int from = group.fromScratch() ? 0 : Math.min(trial.checkpoint(), task.to() - 1);
    AttemptStart.start(
        transition,
        AttemptStart.next(transition, trial, group, from)
            .to(task.to())
            .places(slot)
            .trialsPerGpu(trialsPerGpu),
        OptionalInt.empty());
  }
}
