package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reachable;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.EngineEvent.Unreachable;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.Request;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Ends parts of a Ray cluster while a trial runs on it. */
@ResourceLock(SharedRayCluster.LOCK)
@Tag(Tier.NIGHTLY)
class RayFaultsIT extends EngineTestBase {
  private static final String SLOW =
      lib("u=$from; while [ $u -lt $to ]; do u=$((u+1)); sleep 0.1; save $u; report $u; done");

  private static final String RUN = SharedRayCluster.RUN;

  @RegisterExtension private static final SharedRayCluster CLUSTER = new SharedRayCluster();

  RayFaultsIT() {
    super(RUN);
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws Exception {
    return CLUSTER.open(folder, consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(RUN, attempt).isAlive();
  }

  private static RayCluster ray() {
    return CLUSTER.cluster();
  }

  @AfterEach
  @Override
  protected void closeEngine() throws Exception {
    if (engine != null) {
      CLUSTER.close((RayEngine) engine, folder, ATTEMPT);
    }
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
  @Tag(Tier.NIGHTLY)
  void killedBridgeLosesNoReport() {
    engine.start(spec(ATTEMPT, 0, 60, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ((RayEngine) engine).bridgePid().flatMap(ProcessHandle::of).orElseThrow().destroyForcibly();

    assertCompletes(60);
  }

  /** Its controller was killed, and no other one follows. */
  @Test
  void leaseWithoutAControllerEndsByItself() throws Exception {
    engine.close();
    engine = CLUSTER.open(folder, Duration.ofSeconds(6), Duration.ofSeconds(60), events);
    engine.start(spec(ATTEMPT, 0, 1000, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ((RayEngine) engine).leave();
    waitUntil(() -> !isRunning(ATTEMPT));
    waitUntil(() -> !Files.exists(ray().agents().resolve(RUN + "-1")));
    waitUntil(() -> ray().agentProcesses().isEmpty());

    assertThat(ray().query("ray.util.list_named_actors(all_namespaces=True)")).isEqualTo("[]");
    engine = open(events);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void killedRayletLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 100, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ray().kill(ray().node(1));
    ray().startNode(ray().node(1));

    assertCompletes(100);
  }

  @Test
  void killedHeadLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 100, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ray().kill(ray().head());
    ray().startHead();
    for (String ip : List.of(ray().node(1), ray().node(2))) {
      ray().kill(ip); // a service of the node starts Ray again once it has lost its head
      ray().startNode(ip);
    }

    assertCompletes(100);
  }

  /** As after a network failure between the head and a node: trials of the node continue. */
  @Test
  void cutNetworkLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 100, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ray().signalRay(ray().node(1), "STOP");
    waitUntil(() -> events.of(ATTEMPT).stream().anyMatch(Unreachable.class::isInstance));
    assertThat(events.ends(ATTEMPT)).isEmpty();
    ray().signalRay(ray().node(1), "CONT");
    waitUntil(() -> events.of(ATTEMPT).stream().anyMatch(Reachable.class::isInstance));

    assertCompletes(100);
  }

  /** Its workers end by themselves, so that the trial never runs twice. */
  @Test
  @Tag(Tier.NIGHTLY)
  void networkThatStaysCutEndsTheAttempt() throws Exception {
    engine.close();
    engine = CLUSTER.open(folder, Duration.ofSeconds(12), Duration.ofSeconds(8), events);
    engine.start(spec(ATTEMPT, 0, 1000, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ray().signalRay(ray().node(1), "STOP");
    try {
      waitUntil(() -> !events.ends(ATTEMPT).isEmpty());
      waitUntil(() -> !isRunning(ATTEMPT));
    } finally {
      ray().signalRay(ray().node(1), "CONT");
    }
    Ended lost = events.ends(ATTEMPT).get(0);
    int from = lost.checkpoint().orElse(0);
    engine.start(RayTrials.onLease(spec("7-1-2", from, from + 5, SLOW, 1), RUN + "-2"));

    assertThat(lost.lost()).isTrue();
    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(from + 5);
    assertThat(events.ends(ATTEMPT)).hasSize(1);
  }

  private void assertCompletes(int units) {
    Ended ended = awaitEnd(ATTEMPT);
    assertThat(ended.exitCode()).as(ended.toString()).isZero();
    assertThat(ended.checkpoint()).hasValue(units);
    assertThat(events.reports(ATTEMPT))
        .extracting(Reported::unit)
        .isEqualTo(IntStream.rangeClosed(1, units).boxed().toList());
  }
}
