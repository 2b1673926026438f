package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests trials in containers, with a fake of Docker whose containers are no children of the workers
 * and cannot be found by their environment.
 */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class RayContainerIT extends EngineTestBase {
  private static final String IMAGE = "torch";
  private static final String SECRET = "s3cret";
  private static final String WAITS = lib("trap '' TERM; report 1; while true; do sleep 0.1; done");

  private FakeDocker docker;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return open(consumer, 1, Duration.ofMinutes(2));
  }

  private Engine open(Consumer<EngineEvent> consumer, int epoch, Duration timeToLive)
      throws IOException {
    docker = FakeDocker.in(folder.resolve("docker")).with(IMAGE);
    BridgeSettings plain = RayTrials.loopback(folder, epoch, run);
    BridgeSettings bridge =
        new BridgeSettings(
            List.of("env", "PATH=" + docker.path(), "python3"),
            plain.address(),
            plain.root(),
            plain.run(),
            plain.epoch(),
            plain.log(),
            plain.environment(),
            plain.patience());
    return RayTrials.open(folder, bridge, timeToLive, consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive() || isContainerRunning();
  }

  private boolean isContainerRunning() {
    try {
      return !docker.running().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void endContainers() throws IOException {
    docker.running().forEach(ProcessHandle::destroyForcibly);
  }

  private void start(int to, String command, int workers) {
    engine.start(
        FakeDocker.attempt(
            spec(ATTEMPT, 0, to, command, workers),
            IMAGE,
            Map.of("KEY", SECRET),
            Optional.empty()));
  }

  @Test
  void workersHaveTheirFoldersAndVariables() throws IOException {
    Path workdir = Files.createDirectories(folder.resolve("project"));
    Files.writeString(workdir.resolve("train.sh"), "echo $KEY $RANK $HOME $FAKE_GPUS \"$1\"\n");
    CodeSnapshot code =
        CodeSnapshot.take(CodeTree.of(workdir, Set.of()), Set.of(), folder.resolve("code"));
    String command = "sh train.sh \"it's \\$5\"; [ $RANK != 0 ] || { " + lib("train\n}");
    engine.start(
        FakeDocker.attempt(
            spec(ATTEMPT, 0, 2, command, 3), IMAGE, Map.of("KEY", SECRET), Optional.of(code)));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.checkpoint()).hasValue(2);
    assertThat(events.reports(ATTEMPT)).hasSize(2);
    assertThat(Files.readAllLines(folder.resolve("logs/7.log")))
        .containsExactlyInAnyOrder(
            "[0] s3cret 0 /tmp \"device=GPU-0\" it's $5",
            "[1] s3cret 1 /tmp \"device=GPU-1\" it's $5",
            "[2] s3cret 2 /tmp \"device=GPU-2\" it's $5");
    assertThat(docker.calls()).anyMatch(call -> call.contains("\"--env\", \"KEY\""));
    assertThat(docker.calls().toString()).doesNotContain(SECRET);
  }

  @Test
  void exitCodeIsThatOfTheWorker() {
    start(1, "echo 'fatal error' >&2; exit 3", 1);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.message()).contains("fatal error");
  }

  @Test
  void stoppedTrialSavesACheckpoint() {
    start(9, lib("trap 'save 1; exit 75' TERM; report 1; while true; do sleep 0.1; done"), 1);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(1);
  }

  @Test
  void containerIsRemovedAfterTheGracePeriod() {
    start(9, WAITS, 1);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    assertThat(isContainerRunning()).isTrue();
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  @Test
  void agentRemovesTheContainerOfAKilledShim() {
    start(9, WAITS, 1);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    String attempt = folder.resolve("nodes/" + run + "-1/attempts/" + ATTEMPT).toString();
    ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").endsWith(attempt))
        .forEach(ProcessHandle::destroyForcibly);

    assertThat(awaitEnd(ATTEMPT).message()).contains("shim");
  }

  @Test
  void endOfTheLeaseRemovesItsContainers() {
    start(9, WAITS, 1);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    ((RayEngine) engine).request(Request.of("detach", run + "-1")).join();

    awaitEnd(ATTEMPT);
  }

  @Test
  void containersEndWithoutAController() throws IOException {
    engine.close();
    engine = open(events, 2, Duration.ofSeconds(2));
    start(9, WAITS, 1);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    ((RayEngine) engine).leave();
    waitUntil(() -> !isRunning(ATTEMPT));

    engine = open(events, 3, Duration.ofMinutes(2));
  }
}
