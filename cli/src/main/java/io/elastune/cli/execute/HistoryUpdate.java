package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.executor.journal.RunFolder;
import io.elastune.profiler.History;

/** Adds a finished run to the history. */
final class HistoryUpdate {
  private HistoryUpdate() {}

  /** Adds the run. A failure changes nothing about the run and its result, so it is only noted. */
  static void add(
      CliEnvironment cliEnvironment, RunFolder folder, ProgressReporter progressReporter) {
    try {
      new History(cliEnvironment.home(), cliEnvironment.clock()).record(folder);
    } catch (RuntimeException e) {
      progressReporter.printNote(
          "the history was not updated ("
              + e.getMessage()
              + "); the run itself is complete, and 'elastune profiles check' adds it later");
    }
  }
}
