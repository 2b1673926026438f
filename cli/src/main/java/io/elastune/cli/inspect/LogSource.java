package io.elastune.cli.inspect;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The source of a log: a trial, or the setup of an instance.
 *
 * @param title the name in text output
 * @param trial the number of the trial, if it is one
 * @param lease the ID of the lease, if it is a setup
 */
record LogSource(String title, Optional<Integer> trial, Optional<String> lease, Path path) {
  static LogSource trial(int trial, Path path) {
    return new LogSource("trial " + trial, Optional.of(trial), Optional.empty(), path);
  }

  static LogSource setup(String lease, Path path) {
    return new LogSource("setup of " + lease, Optional.empty(), Optional.of(lease), path);
  }

  /** Returns a line for JSON output. */
  LogLineDocument document(String line) {
    return new LogLineDocument(trial, lease, line);
  }
}
