package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.forecast.ResumeFeasibility;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;

/** Rejects resuming a run that would stop immediately, and names the remedy. */
final class ResumeGuard {
  private final RunDefinition definition;
  private final RunState state;

  ResumeGuard(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
  }

  /**
   * Throws if the run cannot continue.
   *
   * @throws CommandFailure with the exit code with which the run would stop
   */
  void checkResumable(ResumeFeasibility resumeFeasibility) {
    switch (resumeFeasibility) {
      case NO_TRIALS ->
          throw failure(
              ExitCode.of(RunOutcome.TRIALS_FAILED),
              "no trial is left to resume",
              "see what failed: elastune logs "
                  + definition.run()
                  + "; after a correction: "
                  + ResumeCommands.retryCorrected(definition.run()));
      case BUDGET_SPENT ->
          throw failure(
              ExitCode.of(RunOutcome.BUDGET_REACHED),
              "it has spent "
                  + UsdFormat.format(Ledger.of(definition, state).spentUsd())
                  + " of its budget of "
                  + UsdFormat.format(definition.budgetLeftUsd().orElse(0)),
              "raise it: " + ResumeCommands.resume(definition.run()) + " --budget USD");
      case DEADLINE_PASSED ->
          throw failure(
              ExitCode.of(RunOutcome.DEADLINE_MISSED),
              "its deadline ("
                  + Durations.format(definition.deadlineS().orElse(0))
                  + " after its first start) has passed, and the job sets deadline_miss: stop",
              "extend it: " + ResumeCommands.resume(definition.run()) + " --deadline WHEN");
      case CAN_RESUME, DONE -> {}
    }
  }

  private CommandFailure failure(ExitCode exit, String why, String hint) {
    return CommandFailure.of(exit, "RUN", definition.run() + " cannot be resumed: " + why, hint);
  }
}
