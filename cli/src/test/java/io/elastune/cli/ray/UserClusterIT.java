package io.elastune.cli.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.ray.RayCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Complete runs on a Ray cluster that is not of the run: a head and two nodes. */
@Order(1) // long, and mostly waiting
class UserClusterIT {
  private static @Nullable RayCluster cluster;

  @TempDir private Path folder;
  private ClusterRuns runs;
  private CloudCommand elastune;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = ClusterRuns.startCluster();
  }

  @AfterAll
  static void closeCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    runs = ClusterRuns.on(cluster, folder);
    elastune = runs.elastune();
  }

  /** Four instances, then two, then one. The controller is killed in the first group. */
  @Test
  @Tag(Tier.NIGHTLY)
  void survivesKilledController() throws Exception {
    Path job =
        runs.job()
            .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 4, max: 16")
            .trial("0.5", "gpus: 1, setup: test -f lib.sh && echo prepared with $PAUSE")
            .profile("[{gpus: 1, seconds: 15}]")
            .write(folder.resolve("job"));
    RunningCommand first = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder started = CloudRun.awaitReport(elastune, first.awaitOutput("\"state\":\"ready\""));
    first.process().destroyForcibly().waitFor();
    JsonNode crashed = elastune.run("status", started.run(), "--json").assertExit(0).json();
    assertThat(crashed.path("instances").asInt(-1)).as("as the cluster lists them").isEqualTo(4);
    CommandResult end = elastune.run("resume", started.run(), "--json", "-y").assertExit(0);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(started)) {
      assertThat(journal.groups()).extracting(GroupRow::instances).containsExactly(4, 2, 1);
      ClusterRuns.assertReports(journal, 4 * 4 + 2 * 4 + 8);
      assertThat(journal.leases()).as("all were adopted").hasSize(4);
    }
    assertThat(elastune.inProcess("report", started.run()).assertExit(0).out())
        .contains("finished, exit 0");
    runs.assertNothingIsLeft(started.run());
  }

  /** Two trials, each on an instance of its own. */
  private TinyJob twoTrials(int units) {
    return runs.job()
        .search("{algorithm: random, trials: 2, ", "max: " + units)
        .profile("[{gpus: 1, seconds: " + 200 / units + "}]");
  }

  /**
   * SIGSTOP and SIGCONT, for longer than a trial may be silent and a bridge may take to answer. The
   * run has no second controller meanwhile.
   */
  @Test
  @Tag(Tier.NIGHTLY)
  void suspendedControllerLosesNoTrial() throws Exception {
    Path job = runs.writeWitnessed(twoTrials(20), "0.9", ", silence: 6s");
    RunningCommand command = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder run = CloudRun.awaitReport(elastune, command.awaitOutput("\"state\":\"ready\""));
    command.signal("STOP");
    CommandResult second = elastune.run("resume", run.run(), "--json", "-y");
    assertThat(command.process().waitFor(11, TimeUnit.SECONDS)).isFalse();
    CommandResult end = command.signal("CONT").awaitExit().assertExit(0);

    assertThat(second.exit()).as(second.err()).isNotZero();
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    try (RunReader journal = RunReader.open(run)) {
      ClusterRuns.assertReports(journal, 2 * 20);
      assertThat(journal.attempts()).as("nothing was started twice").hasSize(2);
      assertThat(journal.controllers()).hasSize(1);
    }
    runs.assertNoOverlap();
    runs.assertNothingIsLeft(run.run());
  }

  private String twoInstances() {
    return "{infra: [ray/" + runs.cluster().address() + "], offers: offers.yaml, instances: 2}";
  }

  /**
   * Four trials take turns on two instances. The controller is killed after the first turn, and the
   * next one continues the same search.
   */
  @Test
  @Tag(Tier.NIGHTLY)
  void trialsTakeTurnsUnderHermes() throws Exception {
    TinyJob fourTrials =
        runs.job()
            .search("{algorithm: random, trials: 4, ", "max: 6")
            .profile("[{gpus: 1, seconds: 20}]")
            .with("deadline", "30m")
            .with("policy", "hermes")
            .with("resources", twoInstances());
    Path job = runs.writeWitnessed(fourTrials, "0.9", "");
    RunningCommand first =
        elastune.start("run", job.toString(), "-y").awaitOutput("another one takes its turn");
    first.process().destroyForcibly().waitFor();
    CommandResult end = elastune.run("resume", "ray", "--json", "-y").assertExit(0);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/completed").asInt()).isEqualTo(4);
    String run = end.lastLine().path("run").asString();
    JsonNode report = elastune.inProcess("report", run, "--json").assertExit(0).json();
    assertThat(report.path("preemptions").asInt()).isGreaterThanOrEqualTo(2);
    assertThat(report.path("faults")).isEmpty();
    runs.assertNoOverlap();
    runs.assertNothingIsLeft(run);
    groupsEndUnderFluid();
  }

  /** Another search on the same cluster. */
  private void groupsEndUnderFluid() throws Exception {
    Path job =
        runs.job()
            .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 1, max: 4")
            .trial("0.2", "gpus: 1")
            .profile("[{gpus: 1, seconds: 2}]")
            .with("name", "fluid")
            .with("deadline", "30m")
            .with("policy", "fluid")
            .with("resources", twoInstances())
            .write(folder.resolve("fluid"));
    CommandResult end = elastune.run("run", job.toString(), "--json", "-y").assertExit(0);

    String run = end.lastLine().path("run").asString();
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run))) {
      ClusterRuns.assertReports(journal, 4 + 2 + 2);
      assertThat(journal.leases()).hasSize(2);
    }
    runs.assertNothingIsLeft(run);
  }

  /**
   * Two instances until the deadline. The controller is killed once a trial has been paused or
   * resized, and the next one continues until the deadline.
   */
  @Test
  @Tag(Tier.NIGHTLY)
  void trialsShareTheTimeUnderHyperSched() throws Exception {
    TinyJob manyTrials =
        runs.job()
            .search("{algorithm: asha, eta: 2, trials: 40, ", "min: 1, max: 8")
            .profile("[{gpus: 1, seconds: 3}]")
            .with("deadline", "90s")
            .with("policy", "hypersched")
            .with("resources", twoInstances());
    Path job = runs.writeWitnessed(manyTrials, "0.5", "");
    RunningCommand first =
        elastune.start("run", job.toString(), "-y").awaitOutput("is behind at unit");
    first.process().destroyForcibly().waitFor();
    CommandResult end = elastune.run("resume", "ray", "--json", "-y").assertExit(0);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    String run = end.lastLine().path("run").asString();
    JsonNode report = elastune.inProcess("report", run, "--json").assertExit(0).json();
    assertThat(report.path("preemptions").asInt()).isPositive();
    assertThat(report.path("faults")).isEmpty();
    runs.assertNoOverlap();
    runs.assertNothingIsLeft(run);
  }

  /** The nodes offer GPUs to Ray, but have no driver: a program would train on their CPUs. */
  @Test
  void profileNeverMeasuresCpusInPlaceOfGpus() throws Exception {
    Path job =
        runs.job()
            .without("profile")
            .with(
                "resources",
                "{infra: [ray/" + runs.cluster().address() + "], instance_types: [1xgpu]}")
            .write(folder.resolve("job"));
    Path profile = folder.resolve("measured.yaml");
    CommandResult end =
        elastune.run("profile", job.toString(), "-o", profile.toString(), "-y").assertExit(16);

    assertThat(end.out() + end.err()).contains("node acceptance", "no NVIDIA driver");
    assertThat(profile).doesNotExist();
  }

  /** A machine ends with all its processes and files; its trials continue on the other one. */
  @Test
  void lostNodeMovesItsTrials() throws Exception {
    Path isLost = folder.resolve("lost");
    Path job = runs.writeHeld(twoTrials(4).with("dead_man", "15s"), isLost, ", max_failures: 0");
    RunningCommand command = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder run = CloudRun.awaitReport(elastune, command.awaitOutput("\"state\":\"ready\""));
    String first = runs.cluster().node(1);
    List<String> lost = runs.cluster().leasesOn(first);
    String node = lost.isEmpty() ? runs.cluster().node(2) : first;
    lost = runs.cluster().leasesOn(node);
    List<Path> folders = new ArrayList<>();
    for (Path root : runs.roots()) {
      lost.stream().map(root::resolve).filter(Files::isDirectory).forEach(folders::add);
    }
    assertThat(folders).isNotEmpty().hasSameSizeAs(lost);
    runs.cluster().lose(node, folders);
    Files.createFile(isLost);
    CommandResult end = command.awaitExit().assertExit(0);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(run)) {
      assertThat(journal.reports().stream().map(row -> row.trial() + " " + row.unit()).distinct())
          .as("all units of all trials")
          .hasSize(2 * 4);
      assertThat(journal.attempts()).extracting(AttemptRow::trial).hasSize(2 + lost.size());
    }
    runs.assertNoOverlap();
    runs.cluster().startNode(node);
    runs.cluster().awaitNodes();
    runs.assertNothingIsLeft(run.run());
  }
}
