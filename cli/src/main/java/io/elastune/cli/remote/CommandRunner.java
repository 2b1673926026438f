package io.elastune.cli.remote;

import io.elastune.cli.env.CliEnvironment;
import java.util.List;

/** Runs a command line in a given environment and returns its exit code. */
@FunctionalInterface
public interface CommandRunner {
  /** Runs the command. */
  int run(CliEnvironment cliEnvironment, List<String> arguments);
}
