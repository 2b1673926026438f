package io.elastune.cli.estimate;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.inputs.UnitTime;
import java.util.Optional;

/** Asks a user at a terminal for the unit time. */
final class EstimateDialog {
  private static final String OPTION = "--unit-time";

  private final CliEnvironment cliEnvironment;
  private final Output output;

  EstimateDialog(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Returns the unit time.
   *
   * @throws CommandFailure if no terminal is attached, or the answer is not a time
   */
  UnitTime unitTime(String unit) {
    if (!cliEnvironment.terminal()) {
      throw missing("is missing");
    }
    String gpu =
        PromptAnswer.prompt(
            "On which GPU do you know the time, e.g. A10G?", cliEnvironment, output);
    String time =
        PromptAnswer.prompt(
            "How long does one " + unit + " take on one " + gpu + ", e.g. 90s?",
            cliEnvironment,
            output);
    return Optional.of(time + "@" + gpu)
        .flatMap(UnitTime::parse)
        .orElseThrow(() -> missing("'" + time + "' on '" + gpu + "' is no time on a GPU"));
  }

  private static CommandFailure missing(String why) {
    return CommandFailure.invalid(
        OPTION, why, "e.g. " + OPTION + " 90s@A10G: one unit takes 90 s on one A10G");
  }
}
