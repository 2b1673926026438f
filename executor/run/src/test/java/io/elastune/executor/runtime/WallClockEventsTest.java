package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class WallClockEventsTest {
  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
  private static final Duration READ = Duration.ofMillis(200);
  private static final RunState STATE =
      RunState.initial(
          WorkedExampleRun.definition(
              WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}),
              Optional.empty(),
              OptionalDouble.empty()));

  /** A clock that advances with every reading. */
  private static final class ReadClock implements InstantSource {
    private final IntConsumer before;
    private Instant now = START;
    private int readings;

    ReadClock(IntConsumer before) {
      this.before = before;
    }

    @Override
    public Instant instant() {
      before.accept(++readings);
      now = now.plus(READ);
      return now;
    }
  }

  /** A tick would stop a trial whose report waits in a pipe. */
  @Test
  void eventsThatArriveAfterASuspensionPrecedeTheNextTick() {
    EventQueue queue = new EventQueue();
    RunEvent report = new RunEvent.StopAsked(RunOutcome.TERMINATED, true, "a report", START);
    ReadClock[] clock = new ReadClock[1];
    clock[0] =
        new ReadClock(
            reading -> {
              if (reading == 3) {
                clock[0].now = clock[0].now.plusSeconds(400);
              } else if (reading == 5) {
                queue.add(report);
              }
            });
    WallClockEvents events =
        new WallClockEvents(queue, clock[0], new DiskMonitor(Path.of("."), OptionalLong::empty));
    queue.add(new RunEvent.Began(START));
    events.next(STATE);
    assertThat(events.next(STATE)).isInstanceOf(RunEvent.Ticked.class);

    assertThat(events.next(STATE))
        .isInstanceOfSatisfying(
            RunEvent.Ticked.class,
            tick -> assertThat(tick.suspendedS()).hasValueCloseTo(400.0, within(1.0)));
    assertThat(events.next(STATE)).isEqualTo(report);
    assertThat(events.next(STATE)).isInstanceOf(RunEvent.Ticked.class);
  }
}
