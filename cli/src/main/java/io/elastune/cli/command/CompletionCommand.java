package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.service.CompletionScripts;
import io.elastune.cli.service.CompletionScripts.Shell;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class CompletionCommand implements Callable<Integer> {
  private final CliEnvironment cliEnvironment;
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "SHELL",
      converter = ShellConverter.class,
      description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  public CompletionCommand(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  @Override
  public Integer call() {
    return new CompletionScripts(common.output(cliEnvironment))
        .print(shell, spec.root().commandLine())
        .code();
  }

  static final class ShellConverter extends WordConverter<Shell> {
    ShellConverter() {
      super(List.of(Shell.values()), Shell::toString);
    }
  }
}
