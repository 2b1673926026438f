package io.elastune.cli.run;

import io.elastune.cli.world.Answer;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.time.Duration;
import java.time.Instant;

/** Asks before money is spent. */
final class Question {
  private final World world;
  private final Output output;
  private final boolean yes;
  private final Account account;

  /** {@code yes}: the answer was given on the command line. */
  Question(World world, Output output, boolean yes, Account account) {
    this.world = world;
    this.output = output;
    this.yes = yes;
    this.account = account;
  }

  /** Whether an answer can be had at all. */
  boolean canAsk() {
    return yes || world.terminal();
  }

  /** Only {@code yes} is a yes. The wait for it counts for nothing. */
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
