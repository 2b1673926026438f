package io.elastune.cli.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.ray.RayCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Ray cluster with a head and two nodes with two CPUs each, and commands that run jobs there as
 * separate processes.
 *
 * @param folder the folder of commands, jobs and runs
 */
record ClusterRuns(Path folder, RayCluster cluster, CloudCommand elastune) {
  /**
   * Trains like trial.sh. Two attempts of a trial that run at the same time are recorded: each
   * holds a lock, together with all processes that it starts. After the first unit, a trial waits
   * until the file HOLD exists, if that is set.
   */
  private static final String WITNESSED =
      """
      exec 9>>"$WITNESS.$(sed -n 's/.*"trial": *\\([0-9]*\\).*/\\1/p' "$ELASTUNE_TRIAL_JSON")"
      flock -n 9 || echo "$ELASTUNE_ATTEMPT" >>"$WITNESS.overlaps"
      sleep() {
        command sleep "$1"
        while [ "$unit" -gt 0 ] && [ -n "${HOLD:-}" ] && [ ! -e "$HOLD" ] && [ -z "$stopped" ]; do
          command sleep 0.2
        done
      }
      . ./trial.sh
      """;

  /** Starts the cluster. The test is skipped if no Python has Ray. */
  static RayCluster startCluster() throws Exception {
    return RayCluster.start(RayPythonForTests.find(), List.of("first", "second"));
  }

  /** Returns runs on a cluster. */
  static ClusterRuns on(RayCluster cluster, Path folder) throws Exception {
    Path python = Path.of(RayPythonForTests.find());
    // Without settings, the bridge runs with the python3 on the PATH that has Ray.
    String path = python.getParent() + ":" + System.getenv("PATH");
    Map<String, String> variables = Map.of("PATH", path, "RAY_AUTH_MODE", "disabled");
    CloudCommand elastune =
        RentedRayCheck.onRay(new CloudCommand(folder, folder.resolve("home"), variables));
    return new ClusterRuns(folder, cluster, elastune);
  }

  /** Returns a job with four trials, of which two and then one continue. */
  TinyJob job() {
    return run().job();
  }

  private CloudRun run() {
    return new CloudRun("ray/" + cluster.address(), "core", 0.05);
  }

  /** Sets trials that record overlaps. A unit takes {@code pause} seconds. */
  Path writeWitnessed(TinyJob job, String pause, String more) throws IOException {
    return write(job, "PAUSE: \"" + pause + "\"", more);
  }

  /** Sets trials that record overlaps, and wait after their first unit until a file exists. */
  Path writeHeld(TinyJob job, Path until, String more) throws IOException {
    return write(job, "PAUSE: \"0.2\", HOLD: " + until, more);
  }

  private Path write(TinyJob job, String variables, String more) throws IOException {
    String envs = "envs: {" + variables + ", WITNESS: " + folder.resolve("witness") + "}";
    Path file =
        job.with("trial", "{run: exec sh witnessed.sh, gpus: 1, " + envs + more + "}")
            .write(folder.resolve("job"));
    Files.writeString(file.resolveSibling("witnessed.sh"), WITNESSED);
    return file;
  }

  /** Asserts that no two attempts of one trial have run at the same time. */
  void assertNoOverlap() {
    assertThat(folder.resolve("witness.1")).as("the lock of trial 1").exists();
    assertThat(folder.resolve("witness.overlaps")).doesNotExist();
  }

  /** Asserts that every unit of every trial was reported once. */
  static void assertReports(RunReader journal, int reports) {
    assertThat(journal.reports().stream().map(row -> row.trial() + " " + row.unit()))
        .as("every unit of every trial, once")
        .doesNotHaveDuplicates()
        .hasSize(reports);
  }

  /** Asserts that a run has left no actor, process or file. */
  void assertNothingIsLeft(String run) throws Exception {
    assertThat(
            cluster.query(
                "(ray.util.list_named_actors(all_namespaces=True),"
                    + " int(ray.available_resources()['CPU']))"))
        .isEqualTo("([], 4)");
    Leftovers.assertNone(elastune.home(), run);
    assertThat(
            ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(run)))
        .as("shims")
        .isEmpty();
    for (Path root : roots()) {
      if (Files.isDirectory(root)) {
        try (Stream<Path> leases = Files.list(root)) {
          assertThat(leases.map(lease -> lease.getFileName().toString()))
              .noneMatch(lease -> lease.startsWith(run));
        }
      }
    }
  }

  /** Returns the folders with the files of all leases, of which one exists. */
  List<Path> roots() throws IOException {
    Object user = Files.getAttribute(folder, "unix:uid");
    return List.of(Path.of("/var/lib/elastune"), Path.of("/tmp/elastune-" + user));
  }
}
