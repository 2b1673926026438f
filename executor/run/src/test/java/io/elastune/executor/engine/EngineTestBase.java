package io.elastune.executor.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.engine.EngineEvent.Ended;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class of engine tests: opens an engine, creates attempts and waits for events. */
public abstract class EngineTestBase {
  protected static final String ATTEMPT = "7-1-1";
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration STEP = Duration.ofMillis(20);

  /** Engines find their processes by the run ID, and must not find those of other tests. */
  protected final String run;

  @TempDir protected Path folder;
  protected final RecordedEngineEvents events = new RecordedEngineEvents();
  protected Engine engine;

  /** Creates a test of a run of its own. */
  protected EngineTestBase() {
    this(newRun());
  }

  /** Creates a test of a run that other tests of the class share. */
  protected EngineTestBase(String run) {
    this.run = run;
  }

  /** Returns a unique run ID. */
  public static String newRun() {
    return "engine-20261120-" + UUID.randomUUID().toString().substring(0, 8);
  }

  /** Opens the engine under test, with a grace period of two seconds. */
  protected abstract Engine open(Consumer<EngineEvent> consumer) throws Exception;

  /** Advances time: by waiting, or in virtual time. */
  protected abstract void advance(Duration time);

  /** Returns whether a process of the attempt still runs. */
  protected abstract boolean isRunning(String attempt);

  @BeforeEach
  void openEngine() throws Exception {
    engine = open(events);
  }

  @AfterEach
  protected void closeEngine() throws Exception {
    if (engine != null) { // an assumption of a test may have prevented its start
      engine.close();
    }
  }

  /**
   * Creates an attempt of the trial whose number starts its ID, on instances with two slots each.
   */
  protected AttemptSpec spec(String attempt, int from, int to, String command, int workers) {
    int trial = Integer.parseInt(attempt.substring(0, attempt.indexOf('-')));
    List<Worker> slots = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      String lease = run + "-" + (1 + i / 2);
      slots.add(new Worker(lease, "127.0.0.1", "0", i % 2, Optional.of("GPU-" + i)));
    }
    return AttemptSpec.builder()
        .attempt(attempt)
        .run(run)
        .trial(trial)
        .config(Map.of("lr", 0.5))
        .unit("epoch")
        .from(from)
        .to(to)
        .seed(17)
        .command(command)
        .workdir(folder.toString())
        .checkpointDir(folder.resolve("trials/" + trial).toString())
        .log(folder.resolve("logs/" + trial + ".log").toString())
        .environment(Map.of("LIB", folder.resolve("lib.sh").toString()))
        .keep(1)
        .workers(slots)
        .build();
  }

  /** Returns an attempt that starts from a checkpoint of another trial. */
  protected AttemptSpec continuing(int parent, AttemptSpec spec) {
    String parentDir = spec(parent + "-1-1", 0, 1, "", 1).checkpointDir();
    return sharing(
        new SharedCheckpoints(Optional.of(new SharedCheckpoints.Source(parent, parentDir)), 0),
        spec);
  }

  /** Returns an attempt that keeps the checkpoint of a unit, from which other trials start. */
  protected static AttemptSpec holding(int unit, AttemptSpec spec) {
    return sharing(new SharedCheckpoints(Optional.empty(), unit), spec);
  }

  private static AttemptSpec sharing(SharedCheckpoints shared, AttemptSpec spec) {
    return AttemptSpecBuilder.builder(spec).shared(shared).build();
  }

  /** Waits for the end of the attempt, and checks that no process is left. */
  protected Ended awaitEnd(String attempt) {
    waitUntil(() -> !events.ends(attempt).isEmpty());
    assertThat(isRunning(attempt)).isFalse();
    return events.ends(attempt).get(0);
  }

  /** Advances time until the condition holds, and fails after a timeout. */
  protected void waitUntil(BooleanSupplier condition) {
    for (Duration passed = Duration.ZERO; !condition.getAsBoolean(); passed = passed.plus(STEP)) {
      assertThat(passed).as("waiting; so far: %s", events).isLessThan(TIMEOUT);
      advance(STEP);
    }
  }
}
