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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Ray cluster of three nodes, two of which have a lease of the run, and engines on it. The tests
 * of a class share it. They are skipped where Ray is absent.
 */
final class ClusterOfTwoLeases implements BeforeAllCallback, AfterAllCallback {
  private final String run;
  private @Nullable RayCluster cluster;
  private int epoch;

  ClusterOfTwoLeases(String run) {
    this.run = run;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    Optional<String> python = RayCluster.python();
    assumeTrue(
        python.isPresent(), "skipped: neither ELASTUNE_RAY_PYTHON nor python3 can import ray");
    cluster = RayCluster.start(python.orElseThrow(), List.of(run + "-1", run + "-2"));
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (cluster != null) {
      cluster.close();
    }
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
}
