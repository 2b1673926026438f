package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.service.InitService;
import io.elastune.cli.service.InitService.Example;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a job that runs unchanged. */
@Command(
    name = "init",
    header = "Write a commented job file and a trial script that run unchanged.",
    description =
        "Writes job.yaml, offers.yaml and train.sh, or train.py with the Python helper."
            + " With --command, only job.yaml, which tunes the options of a command of yours."
            + " Never overwrites a file.",
    footer = {
      "",
      "Example:",
      "  elastune init my-job --python",
      "  elastune init --command \"python train.py --lr 0.1 --depth 3\""
    })
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

  @Option(
      names = "--command",
      paramLabel = "COMMAND",
      description =
          "Tune the options of COMMAND, which runs in the current folder: ranges lie around their"
              + " values.")
  private Optional<String> command = Optional.empty();

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "With --command, the name of the metric; default: loss.")
  private Optional<String> metric = Optional.empty();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    InitService service = new InitService(cliEnvironment, output);
    if (command.isEmpty()) {
      metric.ifPresent(
          name -> {
            throw usage("--metric", "is used with --command only");
          });
      return service.write(folder, example).code();
    }
    if (example != Example.SHELL) {
      throw usage("--python", "writes an example, but --command tunes a program of yours");
    }
    return service.writeCommand(folder, command.get(), metric.orElse("loss")).code();
  }

  private static CommandFailure usage(String option, String message) {
    return new CommandFailure(
        ExitCode.USAGE, List.of(ErrorDetail.of(option, message, "leave one of the two out")));
  }

  /** The libraries of {@code --python}. */
  static final class ExampleConverter extends WordConverter<Example> {
    ExampleConverter() {
      super(List.of(Example.NUMPY, Example.TORCH));
    }
  }
}
