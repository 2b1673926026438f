package io.elastune.cli.rented;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;

/**
 * Runs a command without {@code System.exit}: an open client or a running thread keeps the process
 * alive.
 */
public final class MainWithoutExit {
  private MainWithoutExit() {}

  public static void main(String[] arguments) {
    CliEnvironment cliEnvironment = CliEnvironment.real();
    int exit = new CommandLineApp(cliEnvironment).run(arguments);
    cliEnvironment.out().flush();
    cliEnvironment.err().println("exit " + exit);
  }
}
