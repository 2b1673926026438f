package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that the cores and the memory of this machine limit the plans of local instances. */
class LocalCapacityTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** The memory of the machine, or of the control group of this process. */
  private static final double MEMORY_GB =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() / 1e9;

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
                + " cores",
            "add --infra simulated, which has no such limit");
    InProcessCli.Result simulated =
        run("simulate", "job.yaml", "plan.json", "--infra", "simulated", "--max-instances", "99");
    assertThat(simulated.exit()).as(simulated.err()).isZero();
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

  /** Two trials need more than the memory of the machine, one does not. */
  @Test
  void memoryOfTheMachineLimitsTrialsThatRunAtOnce() throws IOException {
    job(
        "resources: {infra: [local], offers: offers.yaml, instance_types: [wait], max_instances: 9}");
    profileWith("memory_gb: " + 0.6 * MEMORY_GB);

    run("plan", "job.yaml", "--frontier", "--json")
        .json()
        .path("frontier")
        .forEach(point -> assertThat(point.at("/plan/0/instances").asInt()).isEqualTo(1));
    assertThat(run("plan", "job.yaml").out())
        .containsPattern("memory: 1 trial of [0-9.]+ GB in [0-9.]+ GB of this machine")
        .doesNotContain("cores, which allows");
    assertThat(run("plan", "job.yaml", "--deadline", "4m").out())
        .containsPattern("within the [0-9.]+ GB of memory of this machine");

    Files.writeString(
        folder.resolve("plan.json"),
        "{\"plan\": [{\"group\": \"1\", \"offer\": \"local/wait/on-demand\", \"instances\": 2,"
            + " \"gpus_per_trial\": 1}]}");
    InProcessCli.Result two = run("simulate", "job.yaml", "plan.json");
    assertThat(two.exit()).isEqualTo(2);
    assertThat(two.err()).containsPattern("the plan needs up to [0-9.]+ GB at once, more than");
    assertThat(run("plan", "job.yaml", "--deadline", "4m", "--infra", "simulated").exit()).isZero();
  }

  @Test
  void coresAreNamedIfTheyAreTheLimit() throws IOException {
    job(
        "resources: {infra: [local], offers: offers.yaml, instance_types: [core], max_instances: 999}");
    profileWith("memory_gb: " + MEMORY_GB / (CORES + 1));

    assertThat(run("plan", "job.yaml").out())
        .contains("this machine has " + CORES + " cores, which allows at most")
        .doesNotContain("memory: ");
  }

  @Test
  void trialThatNeedsMoreMemoryThanTheMachineIsRefused() throws IOException {
    job("");
    profileWith("memory_gb: 900000");
    InProcessCli.Result refused = run("plan", "job.yaml");

    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .containsPattern(
            "a trial needs 900000.0 GB of memory on cpu \\(test\\), and this machine has [0-9.]+ GB; narrow"
                + " the hyperparameters that need memory, such as the batch size, and run 'elastune"
                + " profile job.yaml'");
    assertThat(run("plan", "job.yaml", "--infra", "simulated").exit()).isZero();
  }

  @Test
  void profileWithoutMemoryLimitsNothing() throws IOException {
    job("resources: {infra: [local], offers: offers.yaml, instance_types: [wait], instances: 16}");

    assertThat(run("plan", "job.yaml").out()).contains("16 × wait").doesNotContain("memory");
  }

  private void profileWith(String line) throws IOException {
    Path file = folder.resolve("profile.yaml");
    Files.writeString(file, Files.readString(file) + line + "\n");
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
