package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the plan screen says about the start-up of trials. */
class StartupNoteTest {
  private static final String INCLUDED = "included: start-up of trials, ";

  @TempDir Path folder;

  @Test
  void longStartupIsNamedWithItsRemedies() throws IOException {
    assertThat(plan(100, "max: 8", ""))
        .contains(INCLUDED)
        .contains("; trial.keep_alive: true saves it where trials continue on their GPUs")
        .contains("a larger search.resource.min starts trials less often");
    assertThat(plan(100, "max: 8", ", keep_alive: true"))
        .contains("; of trials that continue on their GPUs, only the first (trial.keep_alive)");
    assertThat(plan(100, "max: 8", ", resumable: false"))
        .contains("; a larger search.resource.min starts trials less often")
        .doesNotContain("keep_alive");
  }

  @Test
  void shortStartupIsNotMentioned() throws IOException {
    assertThat(plan(5, "max: 8", "")).doesNotContain(INCLUDED);
  }

  @Test
  void trialsOfOneGroupHaveNoRemedy() throws IOException {
    assertThat(plan(100, "max: 1", "")).contains(INCLUDED).doesNotContain("keep_alive");
  }

  private String plan(int startupS, String resource, String trial) throws IOException {
    Path profile = folder.resolve("profile.yaml");
    String worked = Files.readString(ExampleFiles.WORKED.resolve("profile.yaml"));
    String changed =
        worked.replaceAll("startup_s: .*", "startup_s: {mean: " + startupS + ", cv: 0}");
    assertThat(changed).contains("mean: " + startupS);
    Files.writeString(profile, changed);
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            name: search
            budget: {usd: 50}
            search: {algorithm: sha, trials: 8, eta: 2, metric: {name: loss, goal: minimize},
                     resource: {unit: epoch, min: 1, %s},
                     space: {lr: {type: loguniform, low: 0.0001, high: 0.1}}}
            resources: {infra: [aws/us-east-1], offers: %s, max_instances: 2}
            profile: {file: %s}
            trial: {run: python train.py, gpus: 1..4%s}
            """
                .formatted(resource, ExampleFiles.WORKED.resolve("offers.yaml"), profile, trial));
    InProcessCli.Result result = new InProcessCli(folder).run("plan", job.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().replaceAll("\\s+", " ");
  }
}
