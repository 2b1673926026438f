package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with the options of every command. */
@Command
abstract class Subcommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  /** Executes the command and returns its exit code. */
  abstract int execute(CliEnvironment cliEnvironment, Output output);

  @Override
  public final Integer call() {
    CliEnvironment cliEnvironment = root().environment();
    return execute(cliEnvironment, common.output(cliEnvironment));
  }

  /** Returns the root of the command line in which this command was given. */
  final ElastuneCommand root() {
    return (ElastuneCommand) spec.root().userObject();
  }

  /** Returns the parsed command line. */
  final CommandSpec spec() {
    return spec;
  }

  /** Returns the error for invalid arguments. */
  final ParameterException invalid(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
