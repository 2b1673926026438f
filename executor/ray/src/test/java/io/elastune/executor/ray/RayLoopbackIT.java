package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.RecordedEngineEvents;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the contract suite against real shims, with agents in the bridge instead of Ray, and tests
 * that no failure between the controller and the workers loses a trial or a report.
 */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class RayLoopbackIT extends RayEngineContract {
  private static final String SLOW =
      lib("u=$from; while [ $u -lt $to ]; do u=$((u+1)); sleep 0.05; save $u; report $u; done");

  private int epoch;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.openLoopback(folder, ++epoch, run, consumer);
  }

  @Override
  protected Optional<Engine> openWithFaults(Runnable beforeTask, Consumer<EngineEvent> consumer)
      throws IOException {
    return Optional.of(
        RayTrials.openWithFaults(
            RayTrials.loopback(folder, ++epoch, run), beforeTask::run, consumer));
  }

  private RayEngine ray() {
    return (RayEngine) engine;
  }

  /** Ends what a test has left, such as workers whose controller is gone. */
  @AfterEach
  void endWorkers() {
    for (String attempt : List.of("7-1-1", "7-1-2", "8-1-1")) {
      RayTrials.processes(run, attempt).signal(Signal.KILL);
    }
  }

  @Test
  void killedBridgeLosesNoReport() {
    engine.start(spec(ATTEMPT, 0, 40, SLOW, 1));
    for (int reports : List.of(3, 15)) {
      waitUntil(() -> events.reports(ATTEMPT).size() >= reports);
      ProcessHandle.of(ray().bridgePid().orElseThrow()).orElseThrow().destroyForcibly();
    }
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(units(events)).isEqualTo(IntStream.rangeClosed(1, 40).boxed().toList());
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.checkpoint()).hasValue(40);
  }

  /** A renewal that writes the expiry while the folder is deleted must not bring it back. */
  @Test
  void leaseReleasedAmongRenewalsLeavesNoFiles() {
    for (int i = 0; i < 20; i++) {
      String lease = run + "-9" + i;
      Request attach = Request.of("attach", lease).with("create", true).with("ttl_s", 60);
      var unused = ray().request(attach).join();
      for (int renewal = 0; renewal < 100; renewal++) {
        var unusedAnswer =
            ray().request(Request.of("renew").with("ttl_s", 60).with("leases", List.of(lease)));
        if (renewal == 50) {
          var unusedEnd = ray().request(Request.of("detach", lease));
        }
      }
    }
    waitUntil(() -> ray().request(Request.of("agents")).join().bytes().length <= 2);
    assertThat(folder.resolve("nodes")).isEmptyDirectory();
  }

  @Test
  void bridgeKilledDuringTheStartStartsOnce() throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, "echo begin; " + lib("train"), 1));
    waitUntil(() -> ray().bridgePid().isPresent());
    ProcessHandle.of(ray().bridgePid().orElseThrow()).orElseThrow().destroyForcibly();

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(log()).containsExactly("begin");
  }

  @Test
  void killedAgentLosesNoReport() {
    engine.start(spec(ATTEMPT, 0, 30, SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    fault(Request.of("fault").with("kill", List.of(run + "-1")));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(30);
    assertThat(units(events)).isEqualTo(IntStream.rangeClosed(1, 30).boxed().toList());
  }

  /** The bridge or the agent ends at random times; the shims and the workers continue. */
  @Test
  @Tag(Tier.NIGHTLY)
  void randomKillsLoseNoReport() {
    int kills = Integer.getInteger("elastune.ray.kills", 5);
    Random random = new Random(kills);
    int units = 20 * kills;
    engine.start(spec(ATTEMPT, 0, units, SLOW, 1));
    for (int i = 0; i < kills; i++) {
      int next = events.reports(ATTEMPT).size() + 1 + random.nextInt(10);
      waitUntil(() -> events.reports(ATTEMPT).size() >= Math.min(next, units - 1));
      if (random.nextBoolean()) {
        ray().bridgePid().flatMap(ProcessHandle::of).ifPresent(ProcessHandle::destroyForcibly);
      } else {
        fault(Request.of("fault").with("kill", List.of(run + "-1")));
      }
    }

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(units);
    assertThat(units(events)).isEqualTo(IntStream.rangeClosed(1, units).boxed().toList());
  }

  @Test
  void brokenTransferIsRepeated() {
    Request broken = Request.of("fault");
    broken.object("fail").put("get", 2);
    fault(broken);
    engine.start(spec(ATTEMPT, 0, 2, command(Trial.SUCCEEDS), 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(2);
    assertThat(units(events)).containsExactly(1, 2);
  }

  @Test
  void lastReportCountsOnlyWithItsStoredCheckpoint() {
    Request broken = Request.of("fault");
    broken.object("fail").put("get", 1000);
    fault(broken);
    engine.start(spec(ATTEMPT, 0, 2, command(Trial.SUCCEEDS), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(units(events)).containsExactly(1);
    assertThat(ended.checkpoint()).isEmpty();
    assertThat(events.faults(ATTEMPT)).anyMatch(fault -> fault.contains("was not stored"));
  }

  @Test
  void killedShimEndsTheAttempt() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    shims().forEach(ProcessHandle::destroyForcibly);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.message()).contains("shim");
  }

  @Test
  void nextControllerContinuesRunningWorkers() throws IOException {
    engine.start(spec(ATTEMPT, 0, 40, "echo begin; " + SLOW, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 5);
    ray().leave();
    int received = events.reports(ATTEMPT).size();
    RecordedEngineEvents later = new RecordedEngineEvents();
    engine = open(later);
    engine.adopt(spec(ATTEMPT, 0, 40, "echo begin; " + SLOW, 1), received);
    waitUntil(() -> !later.ends(ATTEMPT).isEmpty());

    assertThat(units(later)).isEqualTo(IntStream.rangeClosed(received + 1, 40).boxed().toList());
    assertThat(later.ends(ATTEMPT).get(0).exitCode()).isZero();
    assertThat(later.ends(ATTEMPT).get(0).checkpoint()).hasValue(40);
    assertThat(log()).containsExactly("begin");
  }

  @Test
  void earlierControllerCannotStartAnything() throws IOException {
    RecordedEngineEvents later = new RecordedEngineEvents();
    engine.start(spec("8-1-1", 0, 1, command(Trial.SUCCEEDS), 1));
    awaitEnd("8-1-1");
    try (Engine next = open(later)) {
      next.adopt(spec("7-1-2", 0, 1, command(Trial.SUCCEEDS), 1), 0);
      waitUntil(() -> !later.ends("7-1-2").isEmpty());
      engine.start(spec(ATTEMPT, 0, 1, command(Trial.SUCCEEDS), 1));
      Ended ended = awaitEnd(ATTEMPT);

      assertThat(ended.exitCode()).isEqualTo(127);
      assertThat(ended.message()).contains("controller 1 of the run was followed by 2");
      assertThat(events.reports(ATTEMPT)).isEmpty();
    }
  }

  /** A controller that has lost contact to a node may start a trial again that still runs there. */
  @Test
  void startEndsAnEarlierAttemptOfItsTrial() {
    engine.start(spec("7-1-1", 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports("7-1-1").isEmpty());
    engine.start(spec("7-1-2", 0, 1, command(Trial.SUCCEEDS), 1));

    Ended ended = awaitEnd("7-1-2");
    assertThat(ended.exitCode()).as(ended.message()).isZero();
    assertThat(awaitEnd("7-1-1").exitCode()).isEqualTo(137);
  }

  /**
   * The first one may be a late command of a controller that was killed. Its shim is slow: before
   * it locks its folder, or after it has reported that it runs.
   *
   * @param before the statement of the shim before which it waits
   */
  @ParameterizedTest
  @ValueSource(strings = {"spec = json.load", "shim = Shim"})
  void startsOfATrialThatOverlapNeverRunItTwice(String before) throws IOException {
    engine.start(spec("8-1-1", 0, 1, command(Trial.SUCCEEDS), 1));
    awaitEnd("8-1-1");
    Path lease = folder.resolve("nodes/" + run + "-1");
    String shim = Files.readString(lease.resolve("shim.py"));
    assertThat(shim).containsOnlyOnce("\n    " + before);
    Files.writeString(
        lease.resolve("shim.py"),
        "import time\n" + shim.replace("\n    " + before, "\n    time.sleep(1)\n    " + before));
    String witness = "exec 9>>\"${LIB%/*}/lock\"; flock -n 9 || touch \"${LIB%/*}/overlap\"; ";
    engine.start(spec("7-1-1", 0, 2, witness + lib("report 1; sleep 1000"), 1));
    waitUntil(() -> Files.isDirectory(lease.resolve("attempts/7-1-1")));
    engine.start(spec("7-1-2", 0, 2, witness + lib("report 1; save 2; report 2"), 1));

    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(2);
    assertThat(folder.resolve("lock")).exists();
    assertThat(folder.resolve("overlap")).doesNotExist();
    assertThat(awaitEnd("7-1-1").exitCode()).isEqualTo(137);
  }

  @Test
  void attemptOnTwoLeasesEndsOnce() throws IOException {
    String command = "echo $LOCAL_RANK/$LOCAL_WORLD_SIZE; " + lib("[ $RANK != 0 ] || train");
    engine.start(spec(ATTEMPT, 0, 2, command, 3));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.checkpoint()).hasValue(2);
    assertThat(log()).containsExactlyInAnyOrder("[0] 0/2", "[1] 1/2", "[2] 0/1");
  }

  @Test
  void failedWorkerEndsThoseOnOtherLeases() {
    engine.start(spec(ATTEMPT, 0, 9, "[ $RANK = 2 ] && exit 5; sleep 1000", 3));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(5);
  }

  @Test
  void checkpointMovesToAnotherInstance() throws IOException {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("7-1-1");
    remove(folder.resolve("nodes/" + run + "-1/trials"));
    String command = lib("cat \"$ELASTUNE_CHECKPOINT_DIR/2/model\"; train");
    engine.start(spec("7-1-2", 2, 3, command, 1));

    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(3);
    assertThat(log()).containsExactly("weights of 2");
  }

  /** Repeated, because a collection that is still due may overlap the last one. */
  @RepeatedTest(5)
  void corruptCheckpointIsNotStored() {
    String corrupt =
        lib(
            "save 1; report 1; cp -r 1 2.tmp; sed -i 's/1/2/' 2.tmp/manifest.json;"
                + " echo x >> 2.tmp/model; mv 2.tmp 2");
    engine.start(spec(ATTEMPT, 0, 3, corrupt, 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.torn()).isTrue();
    assertThat(ended.checkpoint()).hasValue(1);
    assertThat(events.faults(ATTEMPT)).anyMatch(f -> f.startsWith("checkpoint 2 is torn"));
  }

  @Test
  void endedLeaseIsLost() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    fault(Request.of("detach", run + "-1"));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
  }

  private void fault(Request request) {
    ray().request(request).join();
  }

  private static List<Integer> units(RecordedEngineEvents of) {
    return of.reports(ATTEMPT).stream().map(Reported::unit).toList();
  }

  private List<ProcessHandle> shims() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .filter(a -> List.of(a).contains(attemptFolder()))
                    .isPresent())
        .toList();
  }

  private String attemptFolder() {
    return folder.resolve("nodes/" + run + "-1/attempts/" + ATTEMPT).toString();
  }

  private List<String> log() throws IOException {
    return Files.readAllLines(folder.resolve("logs/7.log"));
  }

  private static void remove(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
