package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.Staleness;
import io.elastune.cli.world.World;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.SavedPlan;
import io.elastune.core.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Loads the inputs of a saved plan, and rejects a stale plan. */
final class SavedRun {
  private final World world;
  private final Loaded<PlanDocument> document;
  private final SavedPlan saved;

  SavedRun(World world, Loaded<PlanDocument> document) {
    this.world = world;
    this.document = document;
    this.saved =
        document
            .value()
            .saved()
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        Problem.in(
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
    Loaded<Job> loaded = new Loaded<>(file, world.show(file), saved.job().text(), job);
    Inputs inputs = new InputsLoader(world).load(loaded, Overrides.NONE);
    List<String> profiles = inputs.profiles().stream().map(Loaded::text).toList();
    List<String> reasons =
        Staleness.reasons(
            saved,
            new Staleness.Current(textOf(file), profiles, inputs.catalog().value()),
            world.clock().instant());
    if (!reasons.isEmpty()) {
      throw new CommandFailure(
          ExitCode.PLAN_STALE,
          reasons.stream()
              .map(
                  reason ->
                      Problem.in(
                          document.name(),
                          0,
                          "",
                          reason,
                          "plan again: elastune plan "
                              + world.show(file)
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
