package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.imports.ImportService;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a job from a search of another tool. */
@Command(
    name = "import",
    header = "Write a job file from a search of Optuna, Ray Tune, W&B or SageMaker.",
    description =
        "Reads a study of Optuna (SQLite or journal file), a search space of Ray Tune (JSON), a sweep"
            + " of W&B (YAML or JSON) or a tuning job of SageMaker (JSON). Lists what has no"
            + " counterpart in a job file, with its line and the reason. Never overwrites a file.",
    footer = {"", "Example:", "  elastune import sweep.yaml -o job.yaml"})
public final class ImportCommand extends Subcommand {
  @Parameters(paramLabel = "FILE", description = "The file to import.")
  private String file = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "JOB",
      description = "The job file to write; default: job.yaml.")
  private String target = "job.yaml";

  @Option(
      names = "--study",
      paramLabel = "NAME",
      description = "The study, if a file of Optuna has several.")
  private Optional<String> study = Optional.empty();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new ImportService(cliEnvironment, output).write(file, target, study).code();
  }
}
