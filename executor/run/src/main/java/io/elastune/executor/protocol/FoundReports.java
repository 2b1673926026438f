package io.elastune.executor.protocol;

import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;

/** Describes what an attempt left that exited with 0, but not with the report for its last unit. */
public final class FoundReports {
  private FoundReports() {}

  /**
   * Returns the description with the last lines of output; empty if nothing is missing.
   *
   * @param result the checkpoints of the trial
   * @param lines the last lines of its output
   */
  public static String message(AttemptReports reports, CleanupResult result, String lines) {
    return reports
        .foundInstead()
        .map(
            found ->
                found
                    + result.unreported().stream()
                        .findFirst()
                        .map(unit -> "; checkpoint " + unit + " is complete, and is kept")
                        .orElse("")
                    + (lines.isEmpty() ? "; it wrote no output" : "; last lines:\n" + lines))
        .orElse("");
  }
}
