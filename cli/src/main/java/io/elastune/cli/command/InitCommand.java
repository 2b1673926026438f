package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.InitService;
import io.elastune.cli.service.InitService.Example;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a job that runs unchanged. */
@Command(
    name = "init",
    header = "Write a commented job file and a trial script that run unchanged.",
    description =
        "Writes job.yaml, offers.yaml and train.sh, or train.py with the Python helper."
            + " Never overwrites a file.",
    footer = {"", "Example:", "  elastune init my-job --python"})
public final class InitCommand extends Subcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "The folder to write to; created if missing. Default: the current folder.")
  private String folder = ".";

  @Option(
      names = "--python",
      arity = "0..1",
      paramLabel = "LIBRARY",
      fallbackValue = "numpy",
      converter = ExampleConverter.class,
      completionCandidates = ExampleConverter.class,
      description = "Write the trial in Python with LIBRARY: numpy (default) or torch.")
  private Example example = Example.SHELL;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new InitService(cliEnvironment, output).write(folder, example).code();
  }

  /** The libraries of {@code --python}. */
  static final class ExampleConverter extends WordConverter<Example> {
    ExampleConverter() {
      super(List.of(Example.NUMPY, Example.TORCH));
    }
  }
}
