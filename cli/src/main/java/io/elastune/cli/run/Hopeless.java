package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.screen.Usd;
import io.elastune.core.time.Durations;
import io.elastune.executor.core.Ledger;
import io.elastune.executor.core.Outlook;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import java.util.List;

/** Refuses to go on with a run that would stop at once, and says what would help. */
final class Hopeless {
  private final RunDefinition definition;
  private final RunState state;

  Hopeless(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
  }

  /**
   * Does nothing if the run goes on.
   *
   * @throws CommandFailure with the code with which the run would stop
   */
  void refuse(Outlook outlook) {
    switch (outlook) {
      case NO_TRIALS ->
          throw failure(
              ExitCode.TRIALS_FAILED,
              "no trial is left to go on with",
              "see what failed: elastune logs " + definition.run() + "; then start anew");
      case NO_MONEY ->
          throw failure(
              ExitCode.BUDGET_REACHED,
              "what is spent ("
                  + Usd.format(Ledger.of(definition, state).spentUsd())
                  + ") leaves nothing of its budget of "
                  + Usd.format(definition.budgetLeftUsd().orElse(0)),
              "give it more: elastune resume " + definition.run() + " --budget USD");
      case NO_TIME ->
          throw failure(
              ExitCode.DEADLINE_MISSED,
              "its deadline, "
                  + Durations.format(definition.deadlineS().orElse(0))
                  + " from its first start, has passed, and the job says deadline_miss: stop",
              "give it more time: elastune resume " + definition.run() + " --deadline WHEN");
      case GOES_ON, DONE -> {}
    }
  }

  private CommandFailure failure(ExitCode exit, String why, String hint) {
    return new CommandFailure(
        exit, List.of(Problem.of("RUN", definition.run() + " cannot go on: " + why, hint)));
  }
}
