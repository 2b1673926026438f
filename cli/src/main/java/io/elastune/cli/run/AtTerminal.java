package io.elastune.cli.run;

import io.elastune.cli.world.Answer;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Asks at the terminal while a run goes on, from any thread. Of several questions the next line
 * answers the last one; the others are answered with nothing.
 */
final class AtTerminal {
  private final World world;
  private final Output output;
  private Optional<CompletableFuture<String>> open = Optional.empty();
  private boolean reading;

  AtTerminal(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /**
   * Gives the answer without blanks around it; empty if there is none.
   *
   * @throws InterruptedException if nobody waits for it any more
   */
  String ask(String question) throws InterruptedException {
    CompletableFuture<String> answer = new CompletableFuture<>();
    synchronized (this) {
      open.ifPresent(other -> other.complete(""));
      open = Optional.of(answer);
      output.people().print(question + " ");
      output.people().flush();
      if (!reading) {
        reading = true;
        Thread reader = new Thread(this::read, "elastune-answers");
        reader.setDaemon(true); // nothing ends it but a line
        reader.start();
      }
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    String line = Answer.next(world);
    synchronized (this) {
      reading = false;
      open.ifPresent(answer -> answer.complete(line));
      open = Optional.empty();
    }
  }
}
