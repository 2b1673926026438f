package io.elastune.executor.ray;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A Ray cluster of three nodes, two of which have a lease of the run, and engines on it. */
final class ClusterOfTwoLeases {
  private final String run;
  private final RayCluster cluster;
  private int epoch;

  private ClusterOfTwoLeases(String run, RayCluster cluster) {
    this.run = run;
    this.cluster = cluster;
  }

  /** Starts the cluster. Skips the test where Ray is absent. */
  static ClusterOfTwoLeases start(String run) throws Exception {
    Optional<String> python = RayCluster.python();
    assumeTrue(
        python.isPresent(), "skipped: neither ELASTUNE_RAY_PYTHON nor python3 can import ray");
    return new ClusterOfTwoLeases(
        run, RayCluster.start(python.orElseThrow(), List.of(run + "-1", run + "-2")));
  }

  RayCluster cluster() {
    return cluster;
  }

  /** Returns the settings of the last engine. */
  BridgeSettings bridge(Path folder) throws IOException {
    return cluster.bridge(folder.resolve("ray.log"), run, epoch);
  }

  /** Opens the next engine of the run. */
  RayEngine open(Path folder, Consumer<EngineEvent> consumer) throws IOException {
    epoch++;
    return RayTrials.open(folder, bridge(folder), consumer);
  }

  /** Opens the next engine of the run with times of its own. */
  RayEngine open(
      Path folder, Duration timeToLive, Duration lostAfter, Consumer<EngineEvent> consumer)
      throws IOException {
    epoch++;
    return RayTrials.open(folder, bridge(folder), timeToLive, lostAfter, consumer);
  }

  /** Ends the agents, which outlive their engine; the next test must not see their files. */
  void endAgents(Path folder, String attempt) throws IOException {
    try (RayEngine last = open(folder, event -> {})) {
      for (String lease : List.of(run + "-1", run + "-2")) {
        last.request(Request.of("detach", lease)).join();
      }
    }
    RayTrials.processes(run, attempt).signal(Signal.KILL);
  }

  void close() throws Exception {
    cluster.close();
  }
}
