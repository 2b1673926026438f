package io.elastune.cli;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.ConsoleLogging;
import io.elastune.cli.env.LostOutput;
import io.elastune.cli.failure.ExitCode;
import java.util.Set;
import java.util.stream.Stream;

/** Entry point of the process. */
public final class Main {
  /**
   * Their exit codes describe a run. A script that repeats a run because of its output pays twice.
   */
  private static final Set<String> COMMANDS_OF_RUNS = Set.of("run", "resume", "attach", "stop");

  private Main() {}

  public static void main(String[] arguments) {
    ConsoleLogging.configure();
    CliEnvironment cliEnvironment = CliEnvironment.real();
    int exit = new CommandLineApp(cliEnvironment).run(arguments);
    if (LostOutput.isDetected(cliEnvironment)) {
      cliEnvironment.err().println("the output cannot be written completely (is the disk full?)");
      boolean ofRun = Stream.of(arguments).anyMatch(COMMANDS_OF_RUNS::contains);
      exit = exit == 0 && !ofRun ? ExitCode.USAGE.code() : exit;
    }
    System.exit(exit);
  }
}
