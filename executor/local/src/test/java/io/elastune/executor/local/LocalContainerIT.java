package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.executor.engine.RecordedEngineEvents;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tests trials in containers, with a fake of Docker whose containers are no children of the workers
 * and cannot be found by their environment.
 */
@EnabledOnOs(OS.LINUX)
class LocalContainerIT extends LocalEngineTestBase {
  private static final String IMAGE = "torch";
  private static final String SECRET = "s3cret";
  private static final String WAITS = lib("trap '' TERM; report 1; while true; do sleep 0.1; done");

  private FakeDocker docker;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    docker = FakeDocker.in(folder.resolve("docker")).with(IMAGE);
    return LocalTrials.open(folder, consumer);
  }

  @Override
  protected boolean isRunning(String attempt) {
    try {
      return LocalTrials.isRunning(run, attempt) || !docker.running().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void endContainers() throws IOException {
    docker.running().forEach(ProcessHandle::destroyForcibly);
  }

  private AttemptSpec attempt(AttemptSpec spec, Optional<CodeSnapshot> code) {
    return FakeDocker.attempt(spec, IMAGE, Map.of("PATH", docker.path(), "KEY", SECRET), code);
  }

  private AttemptSpec attempt(int to, String command) {
    return attempt(spec(ATTEMPT, 0, to, command, 1), Optional.empty());
  }

  private void awaitReport() {
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
  }

  @Test
  void workersHaveTheirFoldersAndVariables() throws IOException {
    Path workdir = Files.createDirectories(folder.resolve("project"));
    Files.writeString(workdir.resolve("train.sh"), "echo $KEY $RANK $HOME $FAKE_GPUS \"$1\"\n");
    CodeSnapshot code =
        CodeSnapshot.take(CodeTree.of(workdir, Set.of()), Set.of(), folder.resolve("code"));
    String command = "sh train.sh \"it's \\$5\"; [ $RANK != 0 ] || { " + lib("train\n}");
    AttemptSpec spec = spec(ATTEMPT, 0, 2, command, 2);
    engine.start(attempt(spec, Optional.of(code)));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.checkpoint()).hasValue(2);
    assertThat(Files.readAllLines(folder.resolve("logs/7.log")))
        .containsExactlyInAnyOrder(
            "[0] s3cret 0 /tmp \"device=GPU-0\" it's $5",
            "[1] s3cret 1 /tmp \"device=GPU-1\" it's $5");
    assertThat(docker.calls())
        .anyMatch(call -> call.contains("\"--env\", \"KEY\"") && call.contains("--cpuset-cpus"));
    assertThat(docker.calls().toString()).doesNotContain(SECRET);
  }

  @Test
  void exitCodeIsThatOfTheWorker() {
    engine.start(attempt(1, "echo 'fatal error' >&2; exit 3"));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.message()).contains("fatal error");
  }

  @Test
  void stoppedTrialSavesACheckpoint() {
    engine.start(
        attempt(9, lib("trap 'save 1; exit 75' TERM; report 1; while true; do sleep 0.1; done")));
    awaitReport();
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(1);
  }

  @Test
  void containerIsRemovedAfterTheGracePeriod() {
    engine.start(attempt(9, WAITS));
    awaitReport();
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  @Test
  void containerOfAKilledClientIsRemoved() {
    engine.start(attempt(9, WAITS));
    awaitReport();
    new OwnedProcesses(WorkerEnvironment.ATTEMPT, run + "/" + ATTEMPT, Set.of())
        .signal(Signal.KILL);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  /** As after {@code kill -9} of the controller and of the guard. */
  @Test
  void containerOfAnEarlierControllerIsRemoved() throws IOException {
    AttemptSpec spec = attempt(9, WAITS);
    engine.start(spec);
    awaitReport();
    RecordedEngineEvents later = new RecordedEngineEvents();
    try (Engine next = LocalTrials.open(folder, later)) {
      next.adopt(spec, 1);
      waitUntil(() -> !later.ends(ATTEMPT).isEmpty());
      assertThat(isRunning(ATTEMPT)).isFalse();
    }
  }
}
