package io.elastune.executor.runtime;

import io.elastune.core.job.TrialSpec;
import java.util.Optional;

/**
 * Builds the shell commands of a job as instances execute them: the interpreter of {@code
 * trial.python} comes first on the {@code PATH}, and an instance without it fails in its setup.
 */
final class TrialCommands {
  private final TrialSpec trial;

  TrialCommands(TrialSpec trial) {
    this.trial = trial;
  }

  /** Returns the command of one worker. */
  String run() {
    return trial.python().map(TrialCommands::path).orElse("") + trial.run();
  }

  /** Returns the command that prepares an instance; empty if nothing has to be done or checked. */
  Optional<String> setup() {
    return trial
        .python()
        .map(python -> path(python) + trial.setup().map(TrialCommands::nested).orElse("") + check())
        .or(trial::setup);
  }

  /** In a shell of its own, the user's commands cannot skip the check with {@code exit}. */
  private static String nested(String commands) {
    return "( " + commands + "\n)\n";
  }

  /** Starts on the first line, so that messages of the shell have the user's line numbers. */
  private static String path(String python) {
    String folder = python.substring(0, python.lastIndexOf('/'));
    String prefix = python.startsWith("/") ? "" : "$PWD/";
    return "export PATH=\"" + prefix + "\"" + quoted(folder) + "\":$PATH\"; ";
  }

  /** Starts the interpreter: the links of a virtual environment may lead nowhere. */
  private String check() {
    String python = trial.python().orElseThrow();
    String message =
        "trial.python: "
            + python
            + " does not run on this instance; create it in trial.setup, or correct the path";
    return quoted(python) + " -c '' || { echo " + quoted(message) + " >&2; exit 1; }";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
