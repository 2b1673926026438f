package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that the cores of this machine limit the plans of local instances. */
class LocalCapacityTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @TempDir Path folder;

  @BeforeEach
  void writesJobWithoutResources() throws IOException {
    job("");
    Files.writeString(
        folder.resolve("profile.yaml"),
        """
        program: tiny
        gpu: cpu
        unit: epoch
        measured: {at: 2026-11-20T06:00:00Z, source: test, samples: 40}
        training: [{gpus: 1, seconds: 10}]
        startup_s: {mean: 1, cv: 0}
        checkpoint_s: {mean: 0, cv: 0}
        trial_cv: 0
        unit_cv: 0
        straggler: {probability: 0, slowdown: 1}
        """);
    Files.writeString(
        folder.resolve("offers.yaml"),
        """
        source: test
        date: 2026-11-20
        offers:
          - {infra: local, instance_type: core, gpu: cpu, gpus: 1, market: on-demand,
             usd_per_hour: 1, price: notional, queue_s: {mean: 0, cv: 0}, boot_s: {mean: 0, cv: 0}}
          - {infra: local, instance_type: wait, gpu: cpu, gpus: 1, market: on-demand,
             usd_per_hour: 1, price: notional, queue_s: {mean: 0, cv: 0}, boot_s: {mean: 0, cv: 0},
             slots_per_core: 1000}
          - {infra: local, instance_type: huge, gpu: cpu, gpus: 1, market: on-demand,
             usd_per_hour: 1, price: notional, queue_s: {mean: 0, cv: 0}, boot_s: {mean: 0, cv: 0},
             cores_per_gpu: 1000}
        """);
  }

  @Test
  void frontierUsesNoMoreCoresThanExist() {
    JsonNode frontier = run("plan", "job.yaml", "--frontier", "--json").json().path("frontier");

    assertThat(frontier).isNotEmpty();
    frontier.forEach(
        point -> assertThat(point.at("/plan/0/instances").asInt()).isBetween(1, CORES));
  }

  @Test
  void deadlineThatNeedsMoreCoresIsInfeasible() {
    int seconds = 40 * 11 / (CORES + 1);
    InProcessCli.Result result = run("plan", "job.yaml", "--deadline", seconds + "s");

    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.out())
        .contains("within the " + CORES + " cores of this machine")
        .doesNotContain("share cores");
    assertThat(run("plan", "job.yaml", "--deadline", seconds + "s", "--infra", "simulated").exit())
        .isZero();
  }

  @Test
  void suppliedPlanForMoreCoresIsRefused() throws IOException {
    int instances = CORES + 1;
    String plan =
        "{\"plan\": [{\"group\": \"1\", \"offer\": \"local/core/on-demand\", \"instances\": "
            + instances
            + ", \"gpus_per_trial\": 1}]}";
    Files.writeString(folder.resolve("plan.json"), plan);
    InProcessCli.Result result = run("simulate", "job.yaml", "plan.json");

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .contains(
            "the plan holds up to "
                + instances
                + " cores at once, more than the limit \"cores of this machine\" of "
                + CORES
                + " cores");
  }

  @Test
  void slotsOfTrialsThatWaitShareCores() throws IOException {
    job("resources: {infra: [local], offers: offers.yaml, instance_types: [wait], instances: 16}");

    assertThat(run("plan", "job.yaml").out()).contains("16 × wait");
  }

  @Test
  void instanceThatNeedsMoreCoresIsRefused() throws IOException {
    job("resources: {infra: [local], offers: offers.yaml, instance_types: [huge]}");

    assertThat(run("plan", "job.yaml").err())
        .contains("local/huge/on-demand needs 1000 cores per instance, and this machine has");
  }

  @Test
  void clusterThatNeedsMoreCoresIsRefused() throws IOException {
    job(
        "resources: {infra: [local], offers: offers.yaml, instance_types: [core], instances: "
            + (CORES + 1)
            + "}");

    assertThat(run("plan", "job.yaml").err())
        .contains("resources.instances: is " + (CORES + 1) + ", and the limit");
  }

  private void job(String resources) throws IOException {
    Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: limited
        deadline: 1h
        search:
          algorithm: random
          metric: {name: acc, goal: maximize}
          trials: 40
          resource: {unit: epoch, min: 1, max: 1}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial: {run: exec true, gpus: 1}
        profile: {file: profile.yaml}
        """
            + resources);
  }

  private InProcessCli.Result run(String... arguments) {
    return InProcessCli.at(folder, folder.resolve("home")).run(arguments);
  }
}
