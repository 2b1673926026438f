package io.elastune.cli.run;

import io.elastune.cli.world.Answer;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.time.Duration;
import java.time.Instant;

/** Asks the user for confirmation before money is spent. */
final class Question {
  private final World world;
  private final Output output;
  private final boolean yes;
  private final Account account;

  /** {@code yes}: whether the command line already confirms. */
  Question(World world, Output output, boolean yes, Account account) {
    this.world = world;
    this.output = output;
    this.yes = yes;
    this.account = account;
  }

  /** Returns whether confirmation is possible: on the command line or at a terminal. */
  boolean canAsk() {
    return yes || world.terminal();
  }

  /**
   * Prompts, and returns whether the answer is {@code yes}. Time at the prompt does not count
   * toward the deadline.
   */
  boolean confirmed(String question) {
    if (yes) {
      return true;
    }
    if (!world.terminal()) {
      return false;
    }
    Instant asked = world.clock().instant();
    String answer = Answer.to(question, world, output);
    account.waited(Duration.between(asked, world.clock().instant()));
    return answer.equals("yes");
  }
}
