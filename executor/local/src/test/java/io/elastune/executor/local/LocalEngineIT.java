package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineContract;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.process.HostTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the contract suite against the local engine, and tests what its workers receive. */
class LocalEngineIT extends EngineContract {
  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return LocalTrials.open(folder, consumer);
  }

  @Override
  protected Optional<Engine> openWithFaults(Runnable beforeTask, Consumer<EngineEvent> consumer) {
    return Optional.of(LocalTrials.openWithFaults(folder, beforeTask, consumer));
  }

  @Override
  protected void advance(Duration time) {
    LocalTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return LocalTrials.isRunning(run, attempt);
  }

  @Override
  protected String command(Trial trial) {
    return switch (trial) {
      case SUCCEEDS -> lib("train");
      case CRASHES -> lib("echo 'fatal error' >&2; exit 3");
      case SAVES_WHEN_STOPPED ->
          lib("trap 'save 1; exit 75' TERM; report 1; while true; do sleep 0.1; done");
      case IGNORES_STOP -> lib("trap '' TERM; report 1; while true; do sleep 0.1; done");
    };
  }

  /** A worker that its keeper is about to start is not seen by one look at all processes. */
  @Test
  void killReachesWorkersThatAreStarting() {
    for (int i = 1; i <= 8; i++) {
      String attempt = i + "-1-1";
      engine.start(spec(attempt, 0, 9, command(Trial.IGNORES_STOP), 8));
      waitUntil(() -> isRunning(attempt));
      engine.kill(attempt);

      assertThat(awaitEnd(attempt).exitCode()).isEqualTo(137);
      assertThat(isRunning(attempt)).isFalse();
    }
  }

  /** It is complete, and only its digest differs from that in the journal. */
  @Test
  void checkpointThatWasReplacedIsNotUsed() {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    String digest = awaitEnd("7-1-1").digests().get(2);
    engine.start(resuming("7-2-1", digest));
    Ended same = awaitEnd("7-2-1");
    engine.start(resuming("7-2-2", digest.replace(digest.charAt(0), 'x')));
    Ended other = awaitEnd("7-2-2");

    assertThat(same.exitCode()).as("%s", events).isZero();
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.digests()).doesNotContainKey(2);
    assertThat(events.faults("7-2-2").toString())
        .contains("checkpoint 2 is not the one that the trial has saved");
  }

  private AttemptSpec resuming(String attempt, String digest) {
    return AttemptSpecBuilder.builder(spec(attempt, 2, 4, command(Trial.SUCCEEDS), 1))
        .keep(5)
        .digest(Optional.of(digest))
        .build();
  }

  @Test
  void trialFileHasAllFields() throws IOException {
    engine.start(spec(ATTEMPT, 0, 2, "cp \"$ELASTUNE_TRIAL_JSON\" copy.json", 1));
    awaitEnd(ATTEMPT);
    JsonNode copy = new JsonMapper().readTree(Files.readString(folder.resolve("copy.json")));

    assertThat(copy)
        .isEqualTo(
            new JsonMapper()
                .readTree(
                    "{'trial':7,'config':{'lr':0.5},'unit':'epoch','from':0,'to':2,"
                            .replace('\'', '"')
                        + "\"checkpoint_dir\":\""
                        + folder.resolve("trials/7")
                        + "\",\"rank\":0,\"world_size\":1,\"seed\":17,\"resumable\":true}"));
  }

  @Test
  void workersGetTheirRanks() throws IOException {
    String names = "$RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $CUDA_VISIBLE_DEVICES";
    String command = "echo " + names + " $MASTER_ADDR $ELASTUNE_LEASE";
    engine.start(spec(ATTEMPT, 0, 1, command, 3));
    awaitEnd(ATTEMPT);

    assertThat(log(7))
        .containsExactlyInAnyOrder(
            "[0] 0/3 0/2 GPU-0 127.0.0.1 " + run + "-1",
            "[1] 1/3 1/2 GPU-1 127.0.0.1 " + run + "-1",
            "[2] 2/3 0/1 GPU-2 127.0.0.1 " + run + "-2");
  }

  @Test
  void allWorkersShareTheMasterPort() throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, "echo $MASTER_PORT", 2));
    awaitEnd(ATTEMPT);
    Set<String> ports = log(7).stream().map(line -> line.substring(4)).collect(Collectors.toSet());

    assertThat(ports).hasSize(1);
    assertThat(Integer.parseInt(ports.iterator().next())).isPositive();
  }

  @Test
  void environmentHasOnlyJobAndProtocolVariables() throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, "env | sed -n 's/^\\(ELASTUNE_[A-Z_]*\\|LIB\\)=.*/\\1/p'", 1));
    awaitEnd(ATTEMPT);

    assertThat(log(7))
        .containsExactlyInAnyOrder(
            "LIB",
            "ELASTUNE_TRIAL_JSON",
            "ELASTUNE_CHECKPOINT_DIR",
            "ELASTUNE_TRIAL",
            "ELASTUNE_FROM",
            "ELASTUNE_TO",
            "ELASTUNE_SEED",
            "ELASTUNE_REPORTS",
            "ELASTUNE_RUN",
            "ELASTUNE_LEASE",
            "ELASTUNE_ATTEMPT");
  }

  @Test
  void secretsAreInNoLogAndNoMessage() throws IOException {
    String command =
        "echo \"key=$WANDB_API_KEY\"; echo \"ELASTUNE {$WANDB_API_KEY\""
            + "; echo \"failed with $WANDB_API_KEY\" >&2; exit 4";
    AttemptSpec plain = spec(ATTEMPT, 0, 1, command, 1);
    AttemptSpec secret =
        AttemptSpecBuilder.builder(plain)
            .environment(Map.of("WANDB_API_KEY", "s3cret"))
            .mask(SecretMask.of(List.of("s3cret")))
            .build();
    engine.start(secret);
    awaitEnd(ATTEMPT);

    assertThat(log(7)).containsExactlyInAnyOrder("key=***", "ELASTUNE {***", "failed with ***");
    assertThat(events.toString()).contains("a report cannot be read: ").doesNotContain("s3cret");
    assertThat(secret.toString()).doesNotContain("s3cret");
  }

  @Test
  void filesOfTrialArePrivate() throws IOException {
    String command = "mkdir out; echo x > out/a; echo x > \"$ELASTUNE_CHECKPOINT_DIR/b\"; echo x";
    engine.start(spec(ATTEMPT, 0, 1, command, 1));
    awaitEnd(ATTEMPT);

    assertThat(permissions("out")).isEqualTo("rwx------");
    assertThat(permissions("out/a")).isEqualTo("rw-------");
    assertThat(permissions("trials/7")).isEqualTo("rwx------");
    assertThat(permissions("trials/7/b")).isEqualTo("rw-------");
    assertThat(permissions("logs")).isEqualTo("rwx------");
    assertThat(permissions("logs/7.log")).isEqualTo("rw-------");
  }

  /** The commands of docs/trial-protocol.md. Packages are omitted, since they need a network. */
  @Test
  void trialRunsInVirtualEnvironment() throws Exception {
    assumeThat(HostTools.shell("").get(0)).endsWith("bash");
    Process setup =
        new ProcessBuilder(HostTools.shell("python3 -m venv --without-pip .venv"))
            .directory(folder.toFile())
            .start();
    assumeThat(setup.waitFor()).as("python3 with venv is installed").isZero();
    String run = "exec python3 -c 'import sys; print(sys.prefix)'";
    engine.start(spec(ATTEMPT, 0, 1, "source .venv/bin/activate\n" + run, 1));
    awaitEnd(ATTEMPT);

    assertThat(log(7)).containsExactly(folder.resolve(".venv").toString());
  }

  @Test
  void trialEndsAtFirstFailingCommand() throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, "(exit 6)\necho next", 1));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(6);
    assertThat(log(7)).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void workerIsPinnedToItsCores() throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, "grep Cpus_allowed_list /proc/self/status", 1));
    awaitEnd(ATTEMPT);

    assertThat(log(7)).containsExactly("Cpus_allowed_list:\t0");
  }

  @Test
  void failingConsumerDoesNotStopTheTrial() {
    List<EngineEvent> received = new CopyOnWriteArrayList<>();
    try (Engine other =
        new LocalEngine(
            folder,
            InstantSource.system(),
            event -> {
              received.add(event);
              throw new IllegalStateException("deliberate");
            })) {
      other.start(spec(ATTEMPT, 0, 2, lib("train"), 1));
      waitUntil(() -> received.stream().anyMatch(Ended.class::isInstance));
    }
    assertThat(received).hasSize(3);
  }

  @Test
  void cpuActivityOfAnyProcessIsASignOfLife() {
    engine.start(spec("7-1-1", 0, 1, "sh -c 'while :; do :; done' & wait", 1));
    engine.start(spec("8-1-1", 0, 1, "echo begin; exec sleep 60", 1));
    waitUntil(
        () -> {
          engine.check("8-1-1");
          advance(Duration.ofMillis(200));
          return events.answers("8-1-1").stream().anyMatch(answer -> answer.silenceS() > 1.5);
        });
    engine.check("7-1-1");
    waitUntil(() -> !events.answers("7-1-1").isEmpty());

    assertThat(events.answers("7-1-1").get(0).silenceS()).isLessThan(1);
  }

  @Test
  void onlyLogAndCheckpointsRemain() throws IOException {
    engine.start(spec(ATTEMPT, 0, 2, lib("train"), 1));
    awaitEnd(ATTEMPT);

    try (Stream<Path> paths = Files.walk(folder)) {
      assertThat(paths.filter(Files::isRegularFile).map(path -> folder.relativize(path).toString()))
          .containsExactlyInAnyOrder(
              "lib.sh", "logs/7.log", "trials/7/2/manifest.json", "trials/7/2/model");
    }
  }

  @Test
  void missingWorkdirIsReported() {
    AttemptSpec spec = spec(ATTEMPT, 0, 1, "true", 1);
    AttemptSpec nowhere =
        AttemptSpecBuilder.builder(spec)
            .workdir(folder + "/nowhere")
            .workers(List.of(new Worker("x", "127.0.0.1", "0", 0)))
            .build();
    engine.start(nowhere);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(127);
    assertThat(ended.message())
        .contains("could not start: folder " + folder + "/nowhere does not exist");
  }

  private String permissions(String path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
  }

  private List<String> log(int trial) throws IOException {
    return Files.readAllLines(folder.resolve("logs/" + trial + ".log"));
  }
}
