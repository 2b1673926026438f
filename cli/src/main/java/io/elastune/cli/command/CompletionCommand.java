package io.elastune.cli.command;

import io.elastune.cli.action.Completion;
import io.elastune.cli.action.Completion.Shell;
import io.elastune.cli.world.World;
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
  private final World world;
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "SHELL",
      converter = ShellWord.class,
      description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  public CompletionCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new Completion(common.output(world)).print(shell, spec.root().commandLine()).code();
  }

  static final class ShellWord extends Words<Shell> {
    ShellWord() {
      super(List.of(Shell.values()), Shell::toString);
    }
  }
}
