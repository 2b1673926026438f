package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.simulation.GroundTruth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Checks a run against the ground truth of its simulated environment. docs/reliability.md defines
 * the invariants.
 */
final class InvariantChecker {
  private final RunDefinition definition;
  private final GroundTruth groundTruth;
  private final List<InvariantViolation> invariantViolation = new ArrayList<>();
  private final Map<String, Integer> peakInstances = new HashMap<>();
  private int excess;

  InvariantChecker(RunDefinition definition, GroundTruth groundTruth) {
    this.definition = definition;
    this.groundTruth = groundTruth;
    definition
        .workload()
        .groups()
        .forEach(g -> updatePeak(g.name(), definition.plan().of(g).instances()));
  }

  /** Checks the number of instances. Called after every event. */
  void checkInstances(RunState state) {
    if (!state.steering().changed().isEmpty()) {
      for (TrialGroup group : definition.workload().groups()) {
        updatePeak(group.name(), state.allocation(definition, group).instances());
      }
    }
    if (groundTruth.takeChanged()) {
      excess = Math.max(excess, groundTruth.unreleasedCount() - allowed(state));
    }
  }

  /**
   * Returns the number of instances that the plan allows now: those of the current group and the
   * one before it, or of all groups so far if the plan holds its instances. Chains that share
   * instances hold the same ones.
   */
  private int allowed(RunState state) {
    int allowed = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
      int group = state.chains().get(chain).group();
      int highest = 0;
      int first = definition.plan().hold() ? 0 : Math.max(0, group - 1);
      for (int i = first; i <= Math.min(group, groups.size() - 1); i++) {
        int now = state.allocation(definition, groups.get(i)).instances();
        highest = Math.max(highest, updatePeak(groups.get(i).name(), now));
      }
      allowed = definition.plan().shared() ? Math.max(allowed, highest) : allowed + highest;
    }
    return allowed;
  }

  /** A re-planned group may still hold its earlier instances. */
  private int updatePeak(String group, int now) {
    return peakInstances.merge(group, now, Math::max);
  }

  /** Checks a run that has ended, or that has no further events. */
  void checkEnd(RunState state, double completedS, double clockOffS) {
    checkLeases();
    checkTrials(state);
    double limitUsd = limitUsd(state);
    checkBudget(limitUsd);
    new ExitCodeCheck(definition, groundTruth, this::violated)
        .check(state, limitUsd, completedS, clockOffS);
  }

  private void checkLeases() {
    int doubled = Math.max(excess, groundTruth.duplicateInstances());
    if (doubled > 0) {
      violated(
          InvariantViolation.Invariant.DOUBLE_LEASES,
          doubled,
          doubled + " instances more than the plan allows");
    }
  }

  private void checkTrials(RunState state) {
    boolean isComplete =
        state.phase() == RunState.Phase.FINISHED && state.ending().outcome().isComplete();
    boolean isStopped = state.ending().isFor(ReasonCode.STOPPED_AT_DEADLINE);
    List<Integer> lost =
        state.trials().values().stream()
            .filter(
                trial ->
                    isComplete
                        ? !accounted(trial)
                            && !(isStopped && trial.status() == TrialState.Status.WAITING)
                        : trial.status() == TrialState.Status.RUNNING)
            .map(TrialState::trial)
            .toList();
    if (!lost.isEmpty()) {
      violated(
          InvariantViolation.Invariant.LOST_TRIALS,
          lost.size(),
          "trials not accounted for: " + lost);
    }
    if (!groundTruth.training().trialsSetBack().isEmpty()) {
      violated(
          InvariantViolation.Invariant.LOST_TRIALS,
          groundTruth.training().trialsSetBack().size(),
          "trials that lost more progress than since their last committed checkpoint: "
              + groundTruth.training().trialsSetBack());
    }
    if (groundTruth.training().extraUnits() > 0) {
      violated(
          InvariantViolation.Invariant.EXTRA_UNITS,
          groundTruth.training().extraUnits(),
          groundTruth.training().extraUnits() + " units trained twice");
    }
  }

  /** Returns whether the ground truth confirms the state of a trial. */
  private boolean accounted(TrialState trial) {
    return switch (trial.status()) {
      case COMPLETED -> hasTrained(trial) && isLast(trial);
      case STOPPED -> hasTrained(trial);
      case FAILED ->
          groundTruth.training().failedAttempts(trial.trial()) > definition.maxFailures();
      case WAITING, RUNNING -> false;
    };
  }

  private boolean hasTrained(TrialState trial) {
    int units = trial.endedAt().orElse(trial.unit());
    return groundTruth.training().highestUnit(trial.trial()) >= units;
  }

  private boolean isLast(TrialState trial) {
    Chain chain = definition.workload().chains().get(trial.chain());
    return chain.groups().stream().anyMatch(group -> group.toUnit() == trial.unit());
  }

  private void checkBudget(double budget) {
    double bill = groundTruth.costUntilReleaseUsd();
    if (definition.stopsAtBudget() && bill > budget) {
      violated(
          InvariantViolation.Invariant.OVER_BUDGET, 1, "billed " + bill + " of " + budget + " USD");
    }
  }

  /**
   * Returns the budget, or the spending guard, which the run may have increased. A budget does not
   * depend on the state of the run.
   */
  private double limitUsd(RunState state) {
    OptionalDouble limit =
        definition.hasSpendingGuard()
            ? state.budgetLeftUsd(definition)
            : definition.budgetLeftUsd();
    return limit.orElse(Double.POSITIVE_INFINITY);
  }

  /** Checks for leaked instances, an hour after the end of the run. */
  void checkLeaks() {
    if (groundTruth.aliveCount() > 0) {
      violated(
          InvariantViolation.Invariant.LEAKED,
          groundTruth.aliveCount(),
          groundTruth.aliveCount() + " instances alive an hour after the end");
    }
  }

  List<InvariantViolation> violations() {
    return invariantViolation;
  }

  private void violated(InvariantViolation.Invariant invariant, int count, String what) {
    invariantViolation.add(new InvariantViolation(invariant, count, what));
  }
}
