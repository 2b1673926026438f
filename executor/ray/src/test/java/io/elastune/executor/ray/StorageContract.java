package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what every storage of checkpoints must do. Agents are in the bridge. */
abstract class StorageContract extends EngineTestBase {
  private static final String SAVE_ALL =
      lib("u=$from; while [ $u -lt $to ]; do u=$((u+1)); save $u; report $u; sleep 0.1; done");

  static final String TRAIN = lib("train");

  private int epoch;

  /** Returns the location of the trial's checkpoints. */
  abstract String location(int trial);

  /** Returns the units of the trial's stored checkpoints. */
  abstract List<Integer> stored(int trial) throws IOException;

  /** Returns whether checkpoints are copied between nodes and store. */
  boolean copies() {
    return true;
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.openLoopback(folder, ++epoch, run, consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  @Override
  protected AttemptSpec spec(String attempt, int from, int to, String command, int workers) {
    return keeping(1, super.spec(attempt, from, to, command, workers));
  }

  /** Returns an attempt with this storage. */
  AttemptSpec keeping(int keep, AttemptSpec spec) {
    return AttemptSpecBuilder.builder(spec)
        .checkpointDir(location(spec.trial()))
        .keep(keep)
        .build();
  }

  @Test
  void stopStoresACheckpoint() {
    String saves = lib("trap 'save 1; exit 75' TERM; report 1; while true; do sleep 0.1; done");
    engine.start(spec(ATTEMPT, 0, 9, saves, 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(1);
  }

  @Test
  void brokenTransferIsRepeated() {
    for (String op : List.of("get", "upload", "pack", "checkpoints")) {
      fail(op, 1);
    }
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(2);
    assertThat(units()).containsExactly(1, 2);
  }

  @Test
  void checkpointMovesToAnotherInstance() throws IOException {
    engine.start(spec("7-1-1", 0, 2, TRAIN, 1));
    assertThat(awaitEnd("7-1-1").checkpoints())
        .hasValueSatisfying(
            times -> {
              assertThat(times.bytes()).isPresent();
              assertThat(times.storeS().isPresent()).isEqualTo(copies());
              assertThat(times.restoreS()).isEmpty();
            });
    assertThat(stored(7)).containsExactly(2);
    removeNodes();
    String command = lib("cat \"$ELASTUNE_CHECKPOINT_DIR/2/model\"; train");
    engine.start(spec("7-1-2", 2, 3, command, 1));

    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(3);
    assertThat(awaitEnd("7-1-2").checkpoints().orElseThrow().restoreS().isPresent())
        .isEqualTo(copies());
    assertThat(Files.readAllLines(folder.resolve("logs/7.log"))).containsExactly("weights of 2");
  }

  /** Only what is copied during profiling is measured. */
  @Test
  void measuredAttemptGetsItsCheckpointFromTheStore() {
    engine.start(spec("7-1-1", 0, 2, TRAIN, 1));
    awaitEnd("7-1-1");
    engine.start(spec("7-1-2", 2, 3, TRAIN, 1));
    assertThat(awaitEnd("7-1-2").checkpoints().orElseThrow().restoreS()).isEmpty();
    engine.start(measured(spec("7-1-3", 3, 4, TRAIN, 1)));

    Ended ended = awaitEnd("7-1-3");
    assertThat(ended.checkpoint()).hasValue(4);
    assertThat(ended.checkpoints().orElseThrow().restoreS().isPresent()).isEqualTo(copies());
  }

  private static AttemptSpec measured(AttemptSpec spec) {
    return AttemptSpecBuilder.builder(spec).measured(true).build();
  }

  @Test
  void trialStartsFromTheKeptCheckpointOfAnotherOne() throws IOException {
    engine.start(spec("7-1-1", 0, 2, TRAIN, 1));
    awaitEnd("7-1-1");
    for (int unit = 2; unit < 5; unit++) {
      engine.start(holding(2, spec("7-2-" + unit, unit, unit + 1, TRAIN, 1)));
      assertThat(awaitEnd("7-2-" + unit).checkpoint()).hasValue(unit + 1);
    }
    assertThat(stored(7)).contains(2, 5);
    removeNodes();
    String command = lib("cat \"$ELASTUNE_CHECKPOINT_DIR/2/model\"; train");
    engine.start(continuing(7, spec("8-2-1", 2, 3, command, 1)));

    assertThat(awaitEnd("8-2-1").checkpoint()).as("%s", events).hasValue(3);
    assertThat(stored(8)).contains(3);
    assertThat(stored(7)).contains(2, 5);
    assertThat(Files.readAllLines(folder.resolve("logs/8.log"))).containsExactly("weights of 2");
    engine.start(continuing(7, spec("9-2-1", 3, 4, TRAIN, 1)));
    assertThat(awaitEnd("9-2-1").exitCode()).isEqualTo(1);
    assertThat(awaitEnd("9-2-1").checkpoint()).isEmpty();
  }

  @Test
  void oldCheckpointsAreDeleted() throws IOException {
    engine.start(spec("7-1-1", 0, 4, SAVE_ALL, 1));
    awaitEnd("7-1-1");
    engine.start(keeping(2, spec("7-1-2", 4, 9, SAVE_ALL, 1)));
    awaitEnd("7-1-2");

    assertThat(stored(7)).hasSizeBetween(1, 3).contains(9);
    engine.start(spec("7-1-3", 9, 10, SAVE_ALL, 1));
    assertThat(awaitEnd("7-1-3").checkpoint()).hasValue(10);
    assertThat(stored(7)).contains(10).doesNotContain(4, 5, 6, 7);
  }

  @Test
  void tornCheckpointIsNotStored() throws IOException {
    String corrupt =
        lib(
            "save 1; report 1; cp -r 1 2.tmp; sed -i 's/1/2/' 2.tmp/manifest.json;"
                + " echo x >> 2.tmp/model; mv 2.tmp 2");
    engine.start(spec(ATTEMPT, 0, 3, corrupt, 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.torn()).isTrue();
    assertThat(ended.checkpoint()).hasValue(1);
    assertThat(stored(7)).containsExactly(1);
    assertThat(events.faults(ATTEMPT)).anyMatch(f -> f.startsWith("checkpoint 2 is torn"));
  }

  /**
   * The trial saved unit 3, and was killed before it reported it: the next attempt may report it.
   */
  @Test
  void checkpointWithoutReportIsKeptAndDoesNotCount() throws IOException {
    engine.start(spec(ATTEMPT, 0, 3, lib("save 1; report 1; save 3; exit 4"), 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(1);
    assertThat(stored(7)).containsExactly(1, 3);
    engine.start(spec("7-1-2", 1, 3, lib("report 2; report 3"), 1));
    assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(3);
  }

  /** Lets the next calls of an agent's operation fail. */
  void fail(String op, int times) {
    Request broken = Request.of("fault");
    broken.object("fail").put(op, times);
    ((RayEngine) engine).request(broken).join();
  }

  List<Integer> units() {
    return events.reports(ATTEMPT).stream().map(Reported::unit).toList();
  }

  /** Removes the trial's folders of all nodes. */
  void removeNodes() throws IOException {
    try (Stream<Path> leases = Files.list(folder.resolve("nodes"))) {
      for (Path lease : leases.toList()) {
        remove(lease.resolve("trials"));
      }
    }
  }

  static void remove(Path path) throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
