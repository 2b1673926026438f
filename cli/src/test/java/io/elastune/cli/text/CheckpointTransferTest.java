package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a plan warns that the controller's disk is too slow for its checkpoints. */
class CheckpointTransferTest {
  @TempDir Path folder;

  /** 8 trials on 8 instances, each for 10 s + 1 × 290 s = 5 minutes. */
  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("offers.yaml"),
        """
        source: test
        date: 2026-11-20
        offers:
          - {infra: aws/us-east-1, instance_type: small, gpu: A10G, gpus: 1, market: on-demand,
             usd_per_hour: 1, billing: {granularity_s: 1, minimum_s: 60},
             queue_s: {mean: 0, cv: 0}, boot_s: {mean: 0, cv: 0}}
        """);
    Files.writeString(
        folder.resolve("profile.yaml"),
        """
        program: tiny
        gpu: A10G
        unit: epoch
        measured: {at: 2026-11-20T06:00:00Z, source: test, samples: 40}
        training: [{gpus: 1, seconds: 290}]
        startup_s: {mean: 10, cv: 0}
        """);
  }

  private String plan(String checkpoint) throws IOException {
    Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: small
        deadline: 6m
        search:
          algorithm: random
          trials: 8
          metric: {name: acc, goal: maximize}
          resource: {unit: epoch, max: 1}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial: {run: ./train, checkpoint: {%s}}
        resources: {infra: [aws/us-east-1], offers: offers.yaml, max_instances: 8}
        profile: {file: profile.yaml}
        """
            .formatted(checkpoint));
    InProcessCli.Result result = new InProcessCli(folder).run("plan", "job.yaml");
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().replaceAll("\\s+", " ");
  }

  @Test
  void largeCheckpointsDelayTheEndOfAGroup() throws IOException {
    assertThat(plan("size_gb: 0.75"))
        .contains(
            "checkpoints: group 1 may end up to 40s later than predicted (13%): 8 × 0.75 GB go to"
                + " the controller's disk at 150 MB/s; set trial.checkpoint.store to a bucket or a"
                + " shared folder");
  }

  @Test
  void measuredSizeIsUsedWithoutOneInTheJob() throws IOException {
    Files.writeString(
        folder.resolve("profile.yaml"),
        "checkpoint: {size_gb: {mean: 0.7512, samples: 3}}\n",
        StandardOpenOption.APPEND);

    assertThat(plan("keep: 1")).contains("8 × 0.751 GB go to the controller's disk at 150 MB/s");
  }

  @Test
  void smallOrSharedCheckpointsDoNot() throws IOException {
    String warning = "checkpoints: group";
    assertThat(plan("size_gb: 0.28")).doesNotContain(warning); // 14.9 s, just below 5 %
    assertThat(plan("size_gb: 0.29")).contains(warning);
    assertThat(plan("store: s3://bucket/p, size_gb: 9")).doesNotContain(warning);
    assertThat(plan("store: file:///mnt/p, size_gb: 9")).doesNotContain(warning);
    assertThat(plan("keep: 2")).doesNotContain(warning);
  }
}
