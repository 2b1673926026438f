package io.elastune.executor.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.engine.EngineEvent.Ended;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of an engine work with. */
public abstract class EngineBench {
  /** Another one in each JVM: real kinds find their processes by it, of other tests too. */
  protected static final String RUN =
      "engine-20261120-" + UUID.randomUUID().toString().substring(0, 4);

  protected static final String ATTEMPT = "7-1-1";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofMillis(20);

  @TempDir protected Path folder;
  protected final RecordedEngineEvents events = new RecordedEngineEvents();
  protected Engine engine;

  /** An engine of that kind that gives trials two seconds to stop. */
  protected abstract Engine open(Consumer<EngineEvent> consumer) throws Exception;

  /** Lets time pass: by waiting, or in the simulated world. */
  protected abstract void advance(Duration time);

  /** Whether anything of the attempt still runs. */
  protected abstract boolean runs(String attempt);

  @BeforeEach
  void openTheDoor() throws Exception {
    engine = open(events);
  }

  @AfterEach
  void closeTheDoor() {
    engine.close();
  }

  /** An attempt of the trial that its name begins with, on instances with two slots each. */
  protected AttemptSpec spec(String attempt, int from, int to, String command, int workers) {
    int trial = Integer.parseInt(attempt.substring(0, attempt.indexOf('-')));
    List<Worker> slots = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      slots.add(new Worker(RUN + "-" + (1 + i / 2), "127.0.0.1", "0", i % 2));
    }
    return new AttemptSpec(
        attempt,
        RUN,
        trial,
        Map.of("lr", 0.5),
        "epoch",
        from,
        to,
        17,
        command,
        folder.toString(),
        folder.resolve("trials/" + trial).toString(),
        folder.resolve("logs/" + trial + ".log").toString(),
        Map.of("LIB", folder.resolve("lib.sh").toString()),
        1,
        slots);
  }

  /** Waits for the end, and checks that really nothing is left. */
  protected Ended ended(String attempt) {
    until(() -> !events.ends(attempt).isEmpty());
    assertThat(runs(attempt)).isFalse();
    return events.ends(attempt).get(0);
  }

  /** Lets time pass until something is so, and fails if that takes too long. */
  protected void until(BooleanSupplier condition) {
    for (Duration passed = Duration.ZERO; !condition.getAsBoolean(); passed = passed.plus(STEP)) {
      assertThat(passed).as("waiting; so far: %s", events).isLessThan(PATIENCE);
      advance(STEP);
    }
  }
}
