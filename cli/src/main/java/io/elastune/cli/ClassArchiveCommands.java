package io.elastune.cli;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.ConsoleLogging;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs the command lines of its standard input one after another, in one process. The launcher
 * records the classes that this loads and archives them: a process for each command would compile
 * the same code a dozen times.
 */
public final class ClassArchiveCommands {
  private ClassArchiveCommands() {}

  /** Runs the commands. Their failures are no error: a cloud command has no cloud here. */
  public static void main(String[] arguments) throws IOException {
    ConsoleLogging.configure();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int unused = new CommandLineApp(CliEnvironment.real()).run(line.split(" ", -1));
    }
    System.exit(0); // ends threads of libraries, as each command does
  }
}
