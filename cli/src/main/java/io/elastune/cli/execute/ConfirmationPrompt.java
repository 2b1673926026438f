package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import java.time.Duration;
import java.time.Instant;

/** Asks the user for confirmation before money is spent. */
final class ConfirmationPrompt {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final boolean yes;
  private final RemainingLimits remainingLimits;

  /** {@code yes}: whether the command line already confirms. */
  ConfirmationPrompt(
      CliEnvironment cliEnvironment, Output output, boolean yes, RemainingLimits remainingLimits) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.yes = yes;
    this.remainingLimits = remainingLimits;
  }

  /** Returns whether confirmation is possible: on the command line or at a terminal. */
  boolean canConfirm() {
    return yes || cliEnvironment.terminal();
  }

  /**
   * Prompts, and returns whether the answer is {@code yes} or {@code y}. Time at the prompt does
   * not count toward the deadline.
   */
  boolean confirm(String question) {
    return PromptAnswer.isYes(ask(question));
  }

  /** Prompts, and returns the answer: {@code yes} if the command line confirms already. */
  String ask(String question) {
    if (yes) {
      return "yes";
    }
    if (!cliEnvironment.terminal()) {
      return "";
    }
    Instant asked = cliEnvironment.clock().instant();
    String answer = PromptAnswer.prompt(question, cliEnvironment, output);
    remainingLimits.addPromptTime(Duration.between(asked, cliEnvironment.clock().instant()));
    return answer;
  }
}
