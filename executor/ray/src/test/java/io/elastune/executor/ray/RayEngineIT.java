package io.elastune.executor.ray;

import static io.elastune.executor.ray.RayTrials.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract suite on a Ray cluster of three nodes, and ends parts of it meanwhile. */
class RayEngineIT extends RayEngineContract {
  private static final String SLOW =
      lib("u=$from; while [ $u -lt $to ]; do u=$((u+1)); sleep 0.1; save $u; report $u; done");

  private static @Nullable RayCluster cluster;

  private int epoch;

  @BeforeAll
  static void startCluster() throws Exception {
    Optional<String> python = RayCluster.python();
    assumeTrue(
        python.isPresent(), "skipped: neither ELASTUNE_RAY_PYTHON nor python3 can import ray");
    cluster = RayCluster.start(python.orElseThrow(), List.of(RUN + "-1", RUN + "-2"));
  }

  @AfterAll
  static void endCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws Exception {
    return RayTrials.open(
        folder, cluster.bridge(folder.resolve("ray.log"), RUN, ++epoch), consumer);
  }

  /** Agents outlive the engine; the next test must not see their files. */
  @AfterEach
  void endAgents() throws Exception {
    try (RayEngine last = (RayEngine) open(event -> {})) {
      for (String lease : List.of(RUN + "-1", RUN + "-2")) {
        last.request(Request.of("detach", lease)).join();
      }
    }
    RayTrials.processes(RUN, ATTEMPT).signal(Signal.KILL);
  }

  @Test
  void killedAgentLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 60, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    Request describe = Request.of("attach", RUN + "-1").with("create", false);
    long agent = ((RayEngine) engine).request(describe).join().ok().path("pid").asLong();
    ProcessHandle.of(agent).orElseThrow().destroyForcibly();

    assertCompletes(60);
  }

  @Test
  void killedRayletLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 100, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.kill("127.0.0.3");
    cluster.startNode("127.0.0.3");

    assertCompletes(100);
  }

  @Test
  void killedHeadLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 150, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.kill("127.0.0.2");
    cluster.startHead();
    for (String ip : List.of("127.0.0.3", "127.0.0.4")) {
      cluster.kill(ip); // a service of the node starts Ray again once it has lost its head
      cluster.startNode(ip);
    }

    assertCompletes(150);
  }

  private void assertCompletes(int units) {
    for (int i = 0; i < 4 && events.ends(ATTEMPT).isEmpty(); i++) {
      try {
        waitUntil(() -> !events.ends(ATTEMPT).isEmpty());
      } catch (AssertionError e) {
        assertThat(i).as(e.getMessage()).isLessThan(3);
      }
    }
    Ended ended = awaitEnd(ATTEMPT);
    assertThat(ended.exitCode()).as(ended.toString()).isZero();
    assertThat(ended.checkpoint()).hasValue(units);
    assertThat(events.reports(ATTEMPT))
        .extracting(Reported::unit)
        .isEqualTo(IntStream.rangeClosed(1, units).boxed().toList());
  }
}
