package io.elastune.cli.execute;

import io.elastune.cli.text.OutputExcerpt;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Describes the configurations that failed in a profiling run, with the output of the first. */
final class FailedConfigurations {
  private static final String INDENT = "    ";
  private static final String DROPPED = "dropped after";

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

  /** Returns the lines; empty if no configuration failed. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (TrialRow trial : failed) {
      String message =
          faults.stream()
              .filter(fault -> fault.trial() == trial.trial())
              .map(FaultRow::message)
              .filter(text -> !text.startsWith(DROPPED))
              .reduce("", (earlier, later) -> later);
      String title = "trial " + trial.trial() + " failed with " + text(trial.config()) + ": ";
      if (lines.isEmpty()) {
        message.lines().findFirst().ifPresent(first -> lines.add(title + first));
        message.lines().skip(1).forEach(line -> lines.add(INDENT + line));
      } else {
        lines.add(title + OutputExcerpt.of(message));
      }
    }
    return lines;
  }

  private static String text(Map<String, Object> config) {
    List<String> values = new ArrayList<>();
    config.forEach((name, value) -> values.add(name + "=" + value));
    return String.join(", ", values);
  }
}
