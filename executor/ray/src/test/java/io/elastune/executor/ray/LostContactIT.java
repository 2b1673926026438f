package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests what the engine reports while no bridge can be started, or while it hangs itself. */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class LostContactIT extends EngineTestBase {
  /** Fails while the file exists. */
  private static final String PYTHON = "test -e \"$0\" && exit 1; exec python3 \"$@\"";

  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(9);

  /** Leaves a bridge enough time to start again on a busy machine. */
  private static final Duration LONG_TIME_TO_LIVE = Duration.ofMinutes(3);

  private Path down() {
    return folder.resolve("down");
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.open(folder, bridge(), TIME_TO_LIVE, consumer);
  }

  private BridgeSettings bridge() throws IOException {
    BridgeSettings loopback = RayTrials.loopback(folder, 1, run);
    return new BridgeSettings(
        List.of("sh", "-c", PYTHON, down().toString()),
        loopback.address(),
        loopback.root(),
        loopback.run(),
        loopback.epoch(),
        loopback.log(),
        loopback.environment(),
        loopback.patience());
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  @Test
  void outageIsReportedWithItsBeginAndItsEnd() throws Exception {
    engine.close();
    engine = RayTrials.open(folder, bridge(), LONG_TIME_TO_LIVE, events);
    engine.start(
        spec(
            ATTEMPT,
            0,
            2,
            lib("report 1; until [ -e \"${LIB%/*}/go\" ]; do sleep 0.05; done; save 2; report 2"),
            1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    endBridge();
    waitUntil(() -> !contacts(EngineEvent.Unreachable.class).isEmpty());
    Files.delete(down());
    waitUntil(() -> !contacts(EngineEvent.Reachable.class).isEmpty());
    Files.createFile(folder.resolve("go"));
    Ended ended = awaitEnd(ATTEMPT);

    EngineEvent.Unreachable lost = contacts(EngineEvent.Unreachable.class).get(0);
    Reported report = events.reports(ATTEMPT).get(0);
    assertThat(lost.since()).isBefore(lost.at()).isAfter(report.at().minusSeconds(20));
    assertThat(contacts(EngineEvent.Unreachable.class)).hasSize(1);
    assertThat(contacts(EngineEvent.Reachable.class)).hasSize(1);
    assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(1, 2);
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void outageLongerThanTheTimeToLiveLosesTheInstance() throws IOException {
    engine.start(
        spec(
            ATTEMPT, 0, 2, lib("report 1; until [ -e \"${LIB%/*}/go\" ]; do sleep 0.05; done"), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    endBridge();
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.lost()).isTrue();
    assertThat(ended.message()).contains("does not answer");
  }

  /** Its requests, such as a download, may wait for an answer for minutes. */
  @Test
  void preparedAttemptEndsWithItsInstance() throws IOException {
    engine.start(spec("6-1-1", 0, 1, lib("save 1; report 1"), 1));
    awaitEnd("6-1-1");
    endBridge();
    engine.start(spec(ATTEMPT, 0, 2, lib("report 1"), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.lost()).isTrue();
    assertThat(ended.message()).contains("does not answer");
  }

  /** The cloud's confirmation ends an attempt before its node has been silent for long enough. */
  @Test
  void confirmedEndOfTheInstanceEndsItsAttempts() throws IOException {
    engine.close();
    engine = RayTrials.open(folder, bridge(), LONG_TIME_TO_LIVE, events);
    engine.start(spec(ATTEMPT, 0, 2, lib("report 1; until [ -e never ]; do sleep 0.05; done"), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    endBridge();
    RayTrials.processes(run, ATTEMPT).signal(OwnedProcesses.Signal.KILL);
    waitUntil(() -> !isRunning(ATTEMPT));
    assertThat(events.ends(ATTEMPT)).isEmpty();
    RayConnection connection =
        RayConnection.open(bridge(), InstantSource.system()); // the one of the engine
    connection.loop().execute(() -> connection.endInstance(run + "-1"));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.lost()).isTrue();
    assertThat(ended.message()).contains("has ended");
    assertThat(events.ends(ATTEMPT)).hasSize(1);
    connection.leave(RayTrials.IGNORED);
  }

  /** The agent may remove the files of the lease while the next controller adopts the attempt. */
  @Test
  void workersEndOnceNoControllerRenewsTheirLease() throws IOException {
    engine.start(spec(ATTEMPT, 0, 2, lib("report 1; until [ -e never ]; do sleep 0.05; done"), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    ((RayEngine) engine).leave();
    waitUntil(() -> !isRunning(ATTEMPT));
    engine = RayTrials.open(folder, RayTrials.loopback(folder, 2, run), TIME_TO_LIVE, events);
    engine.adopt(spec(ATTEMPT, 0, 2, "true", 1), 1);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(events.ends(ATTEMPT)).hasSize(1);
  }

  /** Its bridge still runs, and must not renew the lease by itself. */
  @Test
  void workersEndWhileTheControllerHangs() throws IOException {
    engine.start(spec(ATTEMPT, 0, 2, lib("report 1; until [ -e never ]; do sleep 0.05; done"), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    RayConnection connection =
        RayConnection.open(bridge(), InstantSource.system()); // the one of the engine
    CountDownLatch hang = new CountDownLatch(1);
    connection.loop().execute(() -> await(hang));
    waitUntil(() -> !isRunning(ATTEMPT));
    assertThat(events.ends(ATTEMPT)).isEmpty();
    hang.countDown();
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(events.ends(ATTEMPT)).hasSize(1);
    connection.leave(RayTrials.IGNORED);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void endBridge() throws IOException {
    Files.createFile(down());
    ((RayEngine) engine).bridgePid().flatMap(ProcessHandle::of).orElseThrow().destroyForcibly();
  }

  private <E extends EngineEvent> List<E> contacts(Class<E> type) {
    return events.of(ATTEMPT).stream().filter(type::isInstance).map(type::cast).toList();
  }
}
