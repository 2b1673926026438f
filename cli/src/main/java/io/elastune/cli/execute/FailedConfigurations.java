package io.elastune.cli.execute;

import io.elastune.cli.inspect.FailureGroups;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.List;

/** Describes the configurations that failed in a profiling run, with the output of the first. */
final class FailedConfigurations {
  private static final String INDENT = "    ";

  /** Exit codes of this and above mean that a signal ended the worker. */
  private static final int FIRST_SIGNAL = 128;

  private static final int RETRY = 75;

  private final List<TrialRow> failed;
  private final List<FaultRow> faults;
  private final boolean neverResumed;

  private FailedConfigurations(RunReader run) {
    failed = run.trials().stream().filter(row -> row.status() == TrialState.Status.FAILED).toList();
    faults = run.faults();
    List<AttemptRow> resumed = run.attempts().stream().filter(row -> row.from() > 0).toList();
    neverResumed =
        resumed.stream().anyMatch(row -> isError(row.exitCode().orElse(0)))
            && resumed.stream().noneMatch(row -> row.exitCode().orElse(-1) == 0);
  }

  static FailedConfigurations of(RunFolder folder) {
    try (RunReader run = RunReader.open(folder)) {
      return new FailedConfigurations(run);
    }
  }

  /** Whether the workers ended with an error of their own: neither signaled nor asking to retry. */
  private static boolean isError(int exitCode) {
    return exitCode > 0 && exitCode < FIRST_SIGNAL && exitCode != RETRY;
  }

  /** Whether trials failed when they resumed from their checkpoints, and none succeeded. */
  boolean neverResumed() {
    return neverResumed;
  }

  /** Returns the failures by cause, with the output of one; empty if no configuration failed. */
  List<String> lines() {
    FailureGroups groups = FailureGroups.of(faults, failed);
    List<String> lines = new ArrayList<>(groups.lines());
    lines.addAll(output());
    return lines;
  }

  /** Returns the message of the first failure of the most frequent cause, with its output. */
  List<String> output() {
    return FailureGroups.of(faults, failed).example().stream()
        .flatMap(String::lines)
        .map(line -> INDENT + line)
        .toList();
  }
}
