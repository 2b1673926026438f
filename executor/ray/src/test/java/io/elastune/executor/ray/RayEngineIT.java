package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.Request;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Runs the contract suite on a Ray cluster of three nodes. */
@ResourceLock(SharedRayCluster.LOCK)
@Tag(Tier.NIGHTLY)
class RayEngineIT extends RayEngineContract {
  private static final String RUN = SharedRayCluster.RUN;

  @RegisterExtension private static final SharedRayCluster CLUSTER = new SharedRayCluster();

  RayEngineIT() {
    super(RUN);
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws Exception {
    return CLUSTER.open(folder, consumer);
  }

  @AfterEach
  @Override
  protected void closeEngine() throws Exception {
    if (engine != null) {
      CLUSTER.close((RayEngine) engine, folder, ATTEMPT);
    }
  }

  /** Another lease holds GPUs 0 and 1 of the same node. */
  @Test
  void workersGetTheGpusOfTheirLease() throws Exception {
    RayConnection connection = RayConnection.open(CLUSTER.bridge(folder), InstantSource.system());
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
    assertThat(log()).contains("[0] met [1, 2, 3] at " + CLUSTER.cluster().node(1));
  }

  @Test
  void manyAttemptsRunAtOnce() {
    int attempts = Tier.runs(30, 100);
    for (int trial = 1; trial <= attempts; trial++) {
      engine.start(spec(trial + "-1-1", 0, 1, command(Trial.SUCCEEDS), 1));
    }
    for (int trial = 1; trial <= attempts; trial++) {
      String attempt = trial + "-1-1";
      Ended ended = awaitEnd(attempt);
      assertThat(ended.checkpoint()).as("%s, %s", ended, events.faults(attempt)).hasValue(1);
      assertThat(events.ends(attempt)).hasSize(1);
      assertThat(events.reports(attempt)).extracting(Reported::unit).containsExactly(1);
    }
  }

  private List<String> log() throws Exception {
    return Files.readAllLines(folder.resolve("logs/7.log"));
  }
}
