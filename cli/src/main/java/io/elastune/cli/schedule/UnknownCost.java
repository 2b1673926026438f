package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.executor.journal.RunFolder;
import java.util.List;

/** Explains that the cost of a run is unknown, and how to state it. */
final class UnknownCost {
  private UnknownCost() {}

  /** Returns the cause and the remedy, as a part of a sentence. */
  static String text(CliEnvironment cliEnvironment, Schedule schedule, List<String> runs) {
    RunFolder folder = RunFolder.of(cliEnvironment.home(), runs.get(0));
    String cause =
        folder.exists()
            ? "its journal " + cliEnvironment.displayPath(folder.journal()) + " cannot be read"
            : "it was removed";
    return "the cost of run "
        + runs.get(0)
        + " is unknown, because "
        + cause
        + (runs.size() > 1 ? " (and of " + (runs.size() - 1) + " more)" : "")
        + "; "
        + (folder.exists() ? "restore the journal, or " : "")
        + "state the cost from the provider's bill: elastune schedule cost "
        + schedule.name()
        + " "
        + runs.get(0)
        + " USD";
  }
}
