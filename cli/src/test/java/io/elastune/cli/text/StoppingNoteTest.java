package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what plan and check say about trials that stop by their reports, or cannot resume. */
class StoppingNoteTest {
  private static final String NOTE =
      "variant stopping: a trial stops only when it reports at or after epoch 1, 2, 4; a program"
          + " that reports only at its end trains all trials fully";

  @TempDir Path folder;

  @Test
  void stoppingNeedsReports() throws IOException {
    Path job = job("{variant: stopping}", "");

    assertThat(text("plan", job.toString())).contains(NOTE);
    assertThat(text("check", job.toString(), "--infra", "local"))
        .contains("reports unknown " + NOTE)
        .contains("reports: report each unit");
    assertThat(text("plan", job("{variant: stopping}", ", resumable: false").toString()))
        .doesNotContain("not resumable");
  }

  @Test
  void promotedTrialsStartAgainIfTheyCannotResume() throws IOException {
    Path job = job("{variant: promotion}", ", resumable: false");

    assertThat(text("plan", job.toString()))
        .contains("not resumable: every promoted trial trains from epoch 0 again")
        .doesNotContain("reports at or after");
    assertThat(text("check", job.toString(), "--infra", "local")).doesNotContain("reports");
  }

  private String text(String... words) {
    InProcessCli.Result result = new InProcessCli(folder).run(words);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().replaceAll("\\s+", " ");
  }

  private Path job(String asha, String trial) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: search
        budget: {usd: 50}
        search: {algorithm: asha, trials: 8, eta: 2, metric: {name: loss, goal: minimize},
                 asha: %s, resource: {unit: epoch, min: 1, max: 8},
                 space: {lr: {type: loguniform, low: 0.0001, high: 0.1}}}
        resources: {infra: [aws/us-east-1], offers: %s, max_instances: 2}
        profile: {file: %s}
        trial: {run: python train.py, gpus: 1..4%s}
        """
            .formatted(
                asha,
                ExampleFiles.WORKED.resolve("offers.yaml"),
                ExampleFiles.WORKED.resolve("profile.yaml"),
                trial));
  }
}
