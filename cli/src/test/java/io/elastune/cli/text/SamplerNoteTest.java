package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the plan screen says about a sampler that learns nothing. */
class SamplerNoteTest {
  private static final String RANDOM =
      "sampler: all 16 configurations are random, because it learns from results after 16 trials"
          + " (search.sampler.startup)";
  private static final String AT_ONCE =
      "sampler: all 16 trials start at the same time, so it has no results to learn from";

  @TempDir Path folder;

  @Test
  void startupThatNoTrialOutlastsIsNamed() throws IOException {
    assertThat(plan("startup: 16", 1)).contains(RANDOM);
    assertThat(plan("startup: 15", 1)).doesNotContain("sampler:");
    assertThat(plan("sampler: qmc, startup: 16", 1)).doesNotContain("sampler:");
  }

  @Test
  void trialsThatAllStartTogetherAreNamed() throws IOException {
    assertThat(plan("startup: 2", 4)).contains(AT_ONCE);
    assertThat(plan("startup: 2", 3)).doesNotContain("sampler:");
  }

  /** {@code instances}: how many are used, each with four slots. */
  private String plan(String sampler, int instances) throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            name: sampled
            deadline: 4h
            prefer: fastest
            search: {algorithm: random, trials: 16, metric: {name: loss, goal: minimize},
                     resource: {unit: epoch, min: 1, max: 2}, sampler: {type: optuna, %s},
                     space: {lr: {type: loguniform, low: 0.0001, high: 0.1}}}
            resources: {infra: [aws/us-east-1], offers: %s, max_instances: %d}
            profile: {file: %s}
            trial: {run: python train.py, gpus: 1}
            """
                .formatted(
                    sampler,
                    ExampleFiles.WORKED.resolve("offers.yaml"),
                    instances,
                    ExampleFiles.WORKED.resolve("profile.yaml")));
    InProcessCli.Result result = new InProcessCli(folder).run("plan", job.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().replaceAll("\\s+", " ");
  }
}
