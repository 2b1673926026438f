package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.CompletionScripts;
import io.elastune.cli.service.CompletionScripts.Shell;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a shell completion script. */
@Command(
    name = "completion",
    header = "Print a shell completion script.",
    footer = {
      "",
      "Example:",
      "  source <(elastune completion bash)      # also for zsh",
      "  elastune completion fish | source"
    })
public final class CompletionCommand extends Subcommand {
  @Parameters(
      paramLabel = "SHELL",
      converter = ShellConverter.class,
      completionCandidates = ShellConverter.class,
      description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new CompletionScripts(output).print(shell, spec().root().commandLine()).code();
  }

  static final class ShellConverter extends WordConverter<Shell> {
    ShellConverter() {
      super(List.of(Shell.values()));
    }
  }
}
