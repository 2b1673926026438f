package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reachable;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.EngineEvent.Unreachable;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
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

  /** The nodes of the cluster have its leases. */
  private static final String RUN = newRun();

  private static @Nullable RayCluster cluster;

  private int epoch;

  RayEngineIT() {
    super(RUN);
  }

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

  private Engine open(Duration timeToLive, Duration lostAfter) throws Exception {
    return RayTrials.open(
        folder,
        cluster.bridge(folder.resolve("ray.log"), RUN, ++epoch),
        timeToLive,
        lostAfter,
        events);
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
    engine = open(Duration.ofSeconds(6), Duration.ofSeconds(60));
    engine.start(spec(ATTEMPT, 0, 1000, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    ((RayEngine) engine).leave();
    waitUntil(() -> !isRunning(ATTEMPT));
    waitUntil(() -> !Files.exists(cluster.agents().resolve(RUN + "-1")));
    waitUntil(() -> cluster.agentProcesses().isEmpty());

    assertThat(cluster.query("ray.util.list_named_actors(all_namespaces=True)")).isEqualTo("[]");
    engine = open(events);
  }

  @Test
  void killedRayletLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 100, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.kill(cluster.node(1));
    cluster.startNode(cluster.node(1));

    assertCompletes(100);
  }

  @Test
  void killedHeadLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 150, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.kill(cluster.head());
    cluster.startHead();
    for (String ip : List.of(cluster.node(1), cluster.node(2))) {
      cluster.kill(ip); // a service of the node starts Ray again once it has lost its head
      cluster.startNode(ip);
    }

    assertCompletes(150);
  }

  /** As after a network failure between the head and a node: trials of the node continue. */
  @Test
  void cutNetworkLosesNoReport() throws Exception {
    engine.start(spec(ATTEMPT, 0, 150, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.signalRay(cluster.node(1), "STOP");
    waitUntil(() -> events.of(ATTEMPT).stream().anyMatch(Unreachable.class::isInstance));
    assertThat(events.ends(ATTEMPT)).isEmpty();
    cluster.signalRay(cluster.node(1), "CONT");
    waitUntil(() -> events.of(ATTEMPT).stream().anyMatch(Reachable.class::isInstance));

    assertCompletes(150);
  }

  /** Its workers end by themselves, so that the trial never runs twice. */
  @Test
  void networkThatStaysCutEndsTheAttempt() throws Exception {
    engine.close();
    engine = open(Duration.ofSeconds(12), Duration.ofSeconds(8));
    engine.start(spec(ATTEMPT, 0, 1000, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    cluster.signalRay(cluster.node(1), "STOP");
    try {
      waitUntil(() -> !events.ends(ATTEMPT).isEmpty());
      waitUntil(() -> !isRunning(ATTEMPT));
    } finally {
      cluster.signalRay(cluster.node(1), "CONT");
    }
    Ended lost = events.ends(ATTEMPT).get(0);
    int from = lost.checkpoint().orElse(0);
    engine.start(RayTrials.onLease(spec("7-1-2", from, from + 5, SLOW, 1), RUN + "-2"));

    assertThat(lost.lost()).isTrue();
    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(from + 5);
    assertThat(events.ends(ATTEMPT)).hasSize(1);
  }

  /** Another lease holds GPUs 0 and 1 of the same node. */
  @Test
  void workersGetTheGpusOfTheirLease() throws Exception {
    BridgeSettings bridge = cluster.bridge(folder.resolve("ray.log"), RUN, epoch);
    RayConnection connection = RayConnection.open(bridge, InstantSource.system());
    LeasePlacement two = LeasePlacement.onLabeledNode(RUN + "-1", 2);
    List<String> leases = List.of(RUN + "-3", RUN + "-4");
    try {
      for (String lease : leases) {
        connection.loop().execute(() -> connection.place(lease, two));
        Request attach = Request.of("attach", lease).with("create", true).with("ttl_s", 60);
        var unused = ((RayEngine) engine).request(two.addTo(attach)).join();
      }
      String command = "echo gpu $RANK $CUDA_VISIBLE_DEVICES; " + lib("[ $RANK != 0 ] || train");
      engine.start(RayTrials.onLease(spec(ATTEMPT, 0, 1, command, 2), RUN + "-4"));

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
      assertThat(log()).contains("[0] gpu 0 2", "[1] gpu 1 3");
    } finally {
      for (String lease : leases) {
        var unused = ((RayEngine) engine).request(Request.of("detach", lease)).join();
      }
      connection.leave(RayTrials.IGNORED);
    }
  }

  /** Each of the two waits until the other one runs, too. */
  @Test
  void twoTrialsShareAGpu() throws Exception {
    String both =
        "echo gpu $CUDA_VISIBLE_DEVICES; here=${LIB%/*}/here; mkdir -p $here; : > $here/$$; "
            + "until [ $(ls $here | wc -l) = 2 ]; do sleep 0.05; done; "
            + lib("train");
    engine.start(spec(ATTEMPT, 0, 1, both, 1));
    engine.start(spec("8-1-1", 0, 1, both, 1));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(awaitEnd("8-1-1").exitCode()).isZero();
    assertThat(log()).contains("gpu GPU-0");
  }

  /** Rank 0 listens at the address and the port that all workers get. */
  @Test
  void workersOnTwoNodesMeetAtRankZero() throws Exception {
    String meet =
        """
        import os, socket
        at = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
        world, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
        if rank == 0:
            server = socket.create_server(at)
            peers = [server.accept()[0] for _ in range(world - 1)]
            met = sorted(int(peer.recv(9)) for peer in peers)
            print("met", met, "at", at[0])
        else:
            for _ in range(1000):
                try:
                    peer = socket.create_connection(at)
                    break
                except OSError:
                    __import__("time").sleep(0.02)
            peer.sendall(str(rank).encode())
        """;
    Files.writeString(folder.resolve("meet.py"), meet);
    String command = "python3 -u meet.py; " + lib("[ $RANK != 0 ] || train");
    engine.start(spec(ATTEMPT, 0, 1, command, 4));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(log()).contains("[0] met [1, 2, 3] at " + cluster.node(1));
  }

  @Test
  void hundredAttemptsRunAtOnce() {
    for (int trial = 1; trial <= 100; trial++) {
      engine.start(spec(trial + "-1-1", 0, 1, command(Trial.SUCCEEDS), 1));
    }
    for (int trial = 1; trial <= 100; trial++) {
      String attempt = trial + "-1-1";
      for (int i = 0; i < 9 && events.ends(attempt).isEmpty(); i++) {
        awaitQuietly(attempt);
      }
      assertThat(events.ends(attempt)).hasSize(1);
      assertThat(events.ends(attempt).get(0).checkpoint()).hasValue(1);
      assertThat(events.reports(attempt)).extracting(Reported::unit).containsExactly(1);
    }
  }

  private void awaitQuietly(String attempt) {
    try {
      waitUntil(() -> !events.ends(attempt).isEmpty());
    } catch (AssertionError e) {
      return; // the caller repeats it
    }
  }

  private List<String> log() throws Exception {
    return Files.readAllLines(folder.resolve("logs/7.log"));
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
