package io.elastune.cli.command;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has subcommands. */
@Command
abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<String> names = List.copyOf(spec.subcommands().keySet());
    int last = names.size() - 1;
    throw new ParameterException(
        spec.commandLine(),
        "Specify " + String.join(", ", names.subList(0, last)) + " or " + names.get(last));
  }
}
