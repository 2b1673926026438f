package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.SavedPlan;
import io.elastune.core.job.Job;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.StalenessCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Loads the inputs of a saved plan, and rejects a stale plan. */
final class SavedPlanInputs {
  private final CliEnvironment cliEnvironment;
  private final LoadedFile<PlanDocument> document;
  private final SavedPlan saved;

  SavedPlanInputs(CliEnvironment cliEnvironment, LoadedFile<PlanDocument> document) {
    this.cliEnvironment = cliEnvironment;
    this.document = document;
    this.saved =
        document
            .value()
            .saved()
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        ErrorDetail.inFile(
                            document.name(),
                            0,
                            "saved",
                            "the plan file contains no job",
                            "only a plan saved by 'elastune plan job.yaml -o FILE' can be run")));
  }

  /**
   * Returns the current inputs.
   *
   * @throws CommandFailure with exit code 12 if the plan is stale
   */
  Inputs inputs() {
    Path file = Path.of(saved.job().dir()).resolve(saved.job().file());
    Job job = JobFile.parse(document.name(), saved.job().text(), Overrides.NONE).orThrow();
    LoadedFile<Job> loadedFile =
        new LoadedFile<>(file, cliEnvironment.displayPath(file), saved.job().text(), job);
    Inputs inputs = new InputsLoader(cliEnvironment).load(loadedFile, Overrides.NONE);
    List<String> profiles = inputs.profiles().stream().map(LoadedFile::text).toList();
    List<String> reasons =
        StalenessCheck.reasons(
            saved,
            new StalenessCheck.CurrentInputs(textOf(file), profiles, inputs.catalog().value()),
            cliEnvironment.clock().instant());
    if (!reasons.isEmpty()) {
      throw new CommandFailure(
          ExitCode.PLAN_STALE,
          reasons.stream()
              .map(
                  reason ->
                      ErrorDetail.inFile(
                          document.name(),
                          0,
                          "",
                          reason,
                          "plan again: elastune plan "
                              + cliEnvironment.displayPath(file)
                              + " -o "
                              + document.name()))
              .toList());
    }
    return inputs;
  }

  private static Optional<String> textOf(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
