package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Prompts at the terminal while a run is in progress, from any thread. If several prompts are open,
 * the next line answers the latest one; the others get an empty answer.
 */
final class TerminalPrompt {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private Optional<CompletableFuture<String>> open = Optional.empty();
  private boolean reading;

  TerminalPrompt(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Prompts and returns the answer without surrounding whitespace; empty if there is none.
   *
   * @throws InterruptedException if the waiting thread is interrupted
   */
  String prompt(String question) throws InterruptedException {
    CompletableFuture<String> answer = new CompletableFuture<>();
    synchronized (this) {
      open.ifPresent(other -> other.complete(""));
      open = Optional.of(answer);
      output.text().print(question + " ");
      output.text().flush();
      if (!reading) {
        reading = true;
        Thread reader = new Thread(this::read, "elastune-answers");
        reader.setDaemon(true); // only a line of input ends it
        reader.start();
      }
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Prompts below the lines of a run in progress; returns an empty answer if interrupted. */
  String promptDuringRun(ProgressReporter progressReporter, String question) {
    progressReporter.setPaused(true);
    output.text().println();
    try {
      return prompt(question);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } finally {
      progressReporter.setPaused(false);
    }
  }

  private void read() {
    String line = PromptAnswer.readLine(cliEnvironment);
    synchronized (this) {
      reading = false;
      open.ifPresent(answer -> answer.complete(line));
      open = Optional.empty();
    }
  }
}
