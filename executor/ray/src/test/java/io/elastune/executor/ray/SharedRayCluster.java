package io.elastune.executor.ray;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineTestBase;
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
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Ray cluster of all tests of this JVM that need one: three nodes, two of which have a lease of
 * {@link #RUN}. It requires a token. It starts with the first class, because a start takes 20 s of
 * processor time, and ends with the last one. Its classes change it, so they hold {@link #LOCK}.
 * They are skipped where Ray is absent.
 */
public final class SharedRayCluster implements BeforeAllCallback {
  /** The resource lock of classes that use the cluster. */
  public static final String LOCK = "the Ray cluster of the tests";

  /** The token that the cluster requires. */
  public static final String TOKEN = "token-of-the-test-cluster-0123456789";

  /** The run that has leases on the nodes of the cluster. */
  static final String RUN = EngineTestBase.newRun();

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedRayCluster.class);

  private @Nullable Running running;

  /** What the root context closes at the end of all tests. */
  private static final class Running implements AutoCloseable {
    private final RayCluster cluster;
    private int epoch;

    private Running(RayCluster cluster) {
      this.cluster = cluster;
    }

    static Running start(String python) {
      try {
        List<String> leases = List.of(RUN + "-1", RUN + "-2");
        return new Running(RayCluster.startWithToken(python, leases, TOKEN));
      } catch (Exception e) {
        throw new IllegalStateException("the Ray cluster of the tests does not start", e);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        cluster.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    Optional<String> python = RayCluster.python();
    assumeTrue(
        python.isPresent(), "skipped: neither ELASTUNE_RAY_PYTHON nor python3 can import ray");
    running =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(
                Running.class, type -> Running.start(python.orElseThrow()), Running.class);
    running.cluster.awaitNodes(); // an earlier class may have failed between an end and a start
  }

  /** Returns the cluster. */
  public RayCluster cluster() {
    return running.cluster;
  }

  /** Returns the settings of the last engine. */
  BridgeSettings bridge(Path folder) throws IOException {
    return cluster().bridge(folder.resolve("ray.log"), RUN, running.epoch);
  }

  /** Opens the next engine of the run. */
  RayEngine open(Path folder, Consumer<EngineEvent> consumer) throws IOException {
    running.epoch++;
    return RayTrials.open(folder, bridge(folder), consumer);
  }

  /** Opens the next engine of the run with times of its own. */
  RayEngine open(
      Path folder, Duration timeToLive, Duration lostAfter, Consumer<EngineEvent> consumer)
      throws IOException {
    running.epoch++;
    return RayTrials.open(folder, bridge(folder), timeToLive, lostAfter, consumer);
  }

  /**
   * Closes the engine of a test and ends the agents, which outlive it: the next test must not see
   * their files.
   */
  void close(RayEngine engine, Path folder, String attempt) throws IOException {
    RayEngine last = engine.isClosed() ? open(folder, event -> {}) : engine;
    last.close(List.of(Request.of("detach", RUN + "-1"), Request.of("detach", RUN + "-2")));
    RayTrials.processes(RUN, attempt).signal(Signal.KILL);
  }
}
