package io.elastune.cli;

import io.elastune.cli.env.CliEnvironment;

/** Entry point of the process. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    CliEnvironment cliEnvironment = CliEnvironment.real();
    int exit = new CommandLineApp(cliEnvironment).run(arguments);
    cliEnvironment.out().flush();
    System.exit(exit);
  }
}
