package io.elastune.executor.decision.forecast;

import io.elastune.core.job.Job;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.List;

/** Whether a run can be resumed now, and why not. */
public enum ResumeFeasibility {
  /** It can be resumed. */
  CAN_RESUME,
  /** Nothing is left to do: all groups have ended, and the cloud lists no instance. */
  DONE,
  /** A later group has no trial to continue with. */
  NO_TRIALS,
  /** It would immediately stop at its budget. */
  BUDGET_SPENT,
  /** It would immediately stop at its deadline. */
  DEADLINE_PASSED;

  /** Returns whether a run without a controller can be resumed with {@code definition}. */
  public static ResumeFeasibility of(RunDefinition definition, RunState state, Instant now) {
    if (allEnded(definition, state)) {
      boolean clean =
          state.phase() == RunState.Phase.FINISHED && state.ending().instancesLeft() == 0;
      return clean ? DONE : CAN_RESUME;
    }
    if (lacksTrials(definition, state)) {
      return NO_TRIALS;
    }
    if (isSpent(definition, state)) {
      return BUDGET_SPENT;
    }
    return isTooLate(definition, state, now) ? DEADLINE_PASSED : CAN_RESUME;
  }

  private static boolean allEnded(RunDefinition definition, RunState state) {
    for (int chain = 0; chain < state.chains().size(); chain++) {
      if (state.chains().get(chain).group() < groups(definition, chain).size()) {
        return false;
      }
    }
    return true;
  }

  private static List<TrialGroup> groups(RunDefinition definition, int chain) {
    return definition.workload().chains().get(chain).groups();
  }

  private static boolean lacksTrials(RunDefinition definition, RunState state) {
    for (int chain = 0; chain < state.chains().size(); chain++) {
      ChainState at = state.chains().get(chain);
      List<TrialGroup> groups = groups(definition, chain);
      boolean between = at.group() < groups.size() && at.started().size() == at.group();
      if (between && groups.get(at.group()).fromUnit() > 0 && noneWaits(state, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean noneWaits(RunState state, ChainState chain) {
    return state.trials().values().stream()
        .filter(trial -> chain.members().contains(trial.trial()))
        .noneMatch(trial -> trial.status() == TrialState.Status.WAITING);
  }

  private static boolean isSpent(RunDefinition definition, RunState state) {
    Ledger ledger = Ledger.of(definition, state);
    double left = definition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    return definition.stopsAtBudget() && ledger.spentUsd() + ledger.committedUsd() >= left;
  }

  private static boolean isTooLate(RunDefinition definition, RunState state, Instant now) {
    return !definition.endsAtDeadline()
        && definition.deadlineMiss() == Job.DeadlineMiss.STOP
        && state.at(now).elapsedS() > definition.deadlineOrInfinityS();
  }
}
