package io.elastune.cli.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.ray.RayCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Complete runs on a Ray cluster that is not of the run: a head and two nodes. */
class UserClusterIT {
  @TempDir private Path folder;
  private RayCluster cluster;
  private CloudCommand elastune;
  private String place;

  @BeforeEach
  void open() throws Exception {
    Path python = Path.of(RayPythonForTests.find());
    cluster = RayCluster.start(python.toString(), List.of("first", "second"));
    place = "ray/" + cluster.address();
    // Without settings, the bridge runs with the python3 on the PATH that has Ray.
    String path = python.getParent() + ":" + System.getenv("PATH");
    elastune =
        RentedRayCheck.onRay(
            new CloudCommand(
                folder, folder.resolve("home"), Map.of("PATH", path, "RAY_AUTH_MODE", "disabled")));
  }

  @AfterEach
  void close() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Four instances, then two, then one. The controller is killed in the first group. */
  @Test
  void survivesKilledController() throws Exception {
    CloudRun run = new CloudRun(place, "core", 0.05);
    Path job =
        run.job()
            .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 4, max: 16")
            .trial("0.5", "gpus: 1, setup: test -f lib.sh && echo prepared with $PAUSE")
            .profile("[{gpus: 1, seconds: 15}]")
            .write(folder.resolve("job"));
    RunningCommand first = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder started = CloudRun.awaitReport(elastune, first.awaitOutput("\"state\":\"ready\""));
    first.process().destroyForcibly().waitFor();
    CommandResult end = elastune.run("resume", started.run(), "--json", "-y").assertExit(0);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(started)) {
      assertThat(journal.groups())
          .extracting(RunReader.GroupRow::instances)
          .containsExactly(4, 2, 1);
      assertThat(journal.reports().stream().map(row -> row.trial() + " " + row.unit()))
          .as("every unit of every trial, once")
          .doesNotHaveDuplicates()
          .hasSize(4 * 4 + 2 * 4 + 8);
      assertThat(journal.leases()).as("all were adopted").hasSize(4);
    }
    assertThat(elastune.run("report", started.run()).assertExit(0).out())
        .contains("finished, exit 0");
    assertNothingIsLeft(started.run());
  }

  private void assertNothingIsLeft(String run) throws Exception {
    assertThat(cluster.query("ray.util.list_named_actors(all_namespaces=True)")).isEqualTo("[]");
    assertThat(cluster.query("int(ray.available_resources()['CPU'])")).isEqualTo("4");
    Leftovers.assertNone(elastune.home(), run);
    assertThat(
            ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(run)))
        .as("shims")
        .isEmpty();
    for (Path root : List.of(Path.of("/var/lib/elastune"), Path.of("/tmp/elastune-" + uid()))) {
      if (Files.isDirectory(root)) {
        try (Stream<Path> leases = Files.list(root)) {
          assertThat(leases.map(lease -> lease.getFileName().toString()))
              .noneMatch(lease -> lease.startsWith(run));
        }
      }
    }
  }

  private Object uid() throws Exception {
    return Files.getAttribute(folder, "unix:uid");
  }
}
