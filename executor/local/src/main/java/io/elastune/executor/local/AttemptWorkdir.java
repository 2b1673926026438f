package io.elastune.executor.local;

import io.elastune.executor.code.TrialFolder;
import io.elastune.executor.engine.AttemptSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The working folder of an attempt. If the run has a snapshot of its code, the folder belongs to
 * the trial and has a copy of the code while an attempt runs.
 */
final class AttemptWorkdir {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptWorkdir.class);

  private final AttemptSpec spec;
  private final Optional<TrialFolder> folder;

  AttemptWorkdir(AttemptSpec spec) {
    this.spec = spec;
    folder = spec.code().map(code -> new TrialFolder(code, Path.of(spec.workdir())));
  }

  /** Copies the code. Returns why that failed; empty if it succeeded. */
  Optional<String> fill() {
    try {
      if (folder.isPresent()) {
        folder.get().fill();
      }
      return Optional.empty();
    } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
      return Optional.of("could not start: cannot copy the code to " + spec.workdir() + ": " + e);
    }
  }

  /** Removes the copy of the code. What the trial has written stays. */
  void prune() {
    try {
      if (folder.isPresent()) {
        folder.get().prune();
      }
    } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
      LOG.warn("Removing the code from {} failed: {}", spec.workdir(), e.toString());
    }
  }
}
