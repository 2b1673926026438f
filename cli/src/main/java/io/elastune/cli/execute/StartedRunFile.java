package io.elastune.cli.execute;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;

/**
 * Writes the name of the run that a command starts in the background, or attaches to, to the file
 * in {@code $ELASTUNE_RUN_FILE}. It is how {@code elastune --host} learns the name.
 */
public final class StartedRunFile {
  /** The environment variable with the file. */
  public static final String VARIABLE = "ELASTUNE_RUN_FILE";

  private StartedRunFile() {}

  static void write(CliEnvironment cliEnvironment, String run) {
    cliEnvironment
        .variable(VARIABLE)
        .ifPresent(file -> AtomicFileWriter.write(cliEnvironment.path(file), run));
  }
}
