package io.elastune.cli.command;

import io.elastune.cli.world.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program itself: asked for nothing, it says what it can be asked for. */
@Command(
    name = "elastune",
    mixinStandardHelpOptions = true,
    versionProvider = ElastuneCommand.VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    header = "Tunes hyperparameters by a deadline and within a budget, on elastic cloud GPUs.",
    footer = {
      "",
      "Example:",
      "  elastune init my-job && elastune run my-job/job.yaml",
      "",
      "'elastune COMMAND --help' tells more about a command."
    })
public final class ElastuneCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getErr());
    throw new ParameterException(line, "No command is given");
  }

  /** Reads the version only when it is asked for. */
  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"elastune " + Version.text()};
    }
  }
}
