package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.RuntimeService;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Builds, lists and removes the runtimes of rented instances. */
@Command(
    name = "runtime",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RuntimeCommand.BuildCommand.class,
      RuntimeCommand.ListCommand.class,
      RuntimeCommand.RemoveCommand.class
    },
    header = "Build the node runtime: Python and Ray for this machine and rented instances.",
    footer = {"", "Example:", "  elastune runtime build"})
public final class RuntimeCommand extends CommandGroup {
  @Command(
      name = "build",
      header = "Build the node runtime from a portable Python and the wheels of Ray.",
      description = {
        "Instances and the controller then need neither Python nor a package index. Run it once on",
        "the controller. It downloads the wheels with the pip of the runtime and its settings, and",
        "checks that all files run with glibc 2.28. It takes one to five minutes."
      },
      footer = {"", "Example:", "  elastune runtime build --wheels /opt/wheels"})
  static final class BuildCommand extends Subcommand {
    @Option(
        names = "--interpreter",
        paramLabel = "ARCHIVE",
        description =
            "A portable Python (.tar.gz, .zip or .jar) instead of the one that is shipped.")
    private Optional<String> archive = Optional.empty();

    @Option(
        names = "--sha256",
        paramLabel = "SUM",
        description = "With --interpreter: the SHA-256 of the archive, from its publisher.")
    private Optional<String> sha256 = Optional.empty();

    @Option(
        names = "--wheels",
        paramLabel = "FOLDER",
        description = "A folder with all wheels. Default: the package index of pip.")
    private Optional<String> wheels = Optional.empty();

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      if (archive.isPresent() != sha256.isPresent()) {
        throw invalid("--interpreter and --sha256 need each other");
      }
      return new RuntimeService(cliEnvironment, output)
          .build(archive, sha256.orElse(""), wheels)
          .code();
    }
  }

  @Command(
      name = "list",
      header = "List the node runtimes of this machine; runs use the first one.",
      footer = {"", "Example:", "  elastune runtime list --json"})
  static final class ListCommand extends Subcommand {
    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new RuntimeService(cliEnvironment, output).list().code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a node runtime.",
      description = "A run in progress that uses it cannot start its Ray head again.",
      footer = {"", "Example:", "  elastune runtime rm VERSION"})
  static final class RemoveCommand extends Subcommand {
    @Parameters(
        paramLabel = "VERSION",
        description = "The runtime's version, from 'elastune runtime list'.")
    private String version = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new RuntimeService(cliEnvironment, output).remove(version).code();
    }
  }
}
