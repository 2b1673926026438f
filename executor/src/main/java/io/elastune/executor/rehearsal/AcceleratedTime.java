package io.elastune.executor.rehearsal;

import io.elastune.core.Check;
import io.elastune.executor.core.Alarm;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.shell.Happenings;
import io.elastune.executor.shell.Told;
import io.elastune.executor.world.SimulatedWorld;
import io.elastune.executor.world.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time of a simulated world, many times faster than everybody's, for a run that people watch.
 * The world stands still while the run decides, so that what comes of it does not depend on the
 * machine. The run is told the time whenever that may matter to it, and often enough for a screen.
 */
public final class AcceleratedTime implements InstantSource {
  /** Of everybody's time: how often a screen is worth painting. */
  private static final double PAINTED_EVERY_S = 0.2;

  /** It is not worth while to wait for less. */
  private static final double SHORTEST_WAIT_S = 0.02;

  private final SimulatedWorld world;
  private final Timeline time;
  private final RunDefinition definition;
  private final double factor;
  private final long period;
  private long lastTick;
  private double owedS;
  private volatile Instant now;

  /**
   * The time of a world that has not begun yet.
   *
   * @param definition what the run is decided by
   * @param factor how many times faster than everybody's time; infinite to wait for nothing
   */
  public AcceleratedTime(SimulatedWorld world, RunDefinition definition, double factor) {
    Check.that(factor > 0, "factor must be positive");
    this.world = world;
    this.time = world.time();
    this.definition = definition;
    this.factor = factor;
    now = time.instant();
    double periodS = Math.min(Math.max(1, factor * PAINTED_EVERY_S), Integer.MAX_VALUE);
    period = Timeline.nanos(Math.floor(periodS));
  }

  /** What happens in it to a run that is told so by its doors. */
  public Happenings of(Told told) {
    return new Passing(told);
  }

  /** The moment in the world; may be asked from any thread. */
  @Override
  public Instant instant() {
    return now;
  }

  /** The first whole second at which a tick may matter, or is due for the screen's sake. */
  private long nextTick(RunState state) {
    long last = time.nanos();
    long due = lastTick + period;
    long matters =
        Alarm.next(definition, state)
            .map(at -> Timeline.nanos(Math.ceil(time.nanos(at) / 1e9)))
            .map(at -> Math.max(at, Timeline.nanos(Math.floor(last / 1e9) + 1)))
            .orElse(Long.MAX_VALUE);
    return Math.max(last, Math.min(due, matters));
  }

  private final class Passing implements Happenings {
    private final Told told;

    Passing(Told told) {
      this.told = told;
    }

    @Override
    public RunEvent next(RunState state) {
      long tick = nextTick(state);
      while (true) {
        @Nullable RunEvent event = told.poll(0, AcceleratedTime.this);
        if (event != null) {
          return event;
        }
        long until = Math.min(tick, time.next());
        event = waitFor(until);
        if (event != null) {
          return event;
        }
        if (until < tick) {
          time.step();
          now = time.instant();
        } else {
          time.advance(Duration.ofNanos(tick - time.nanos()));
          now = time.instant();
          lastTick = tick;
          return new RunEvent.Ticked(now);
        }
      }
    }

    /** Has everybody's time pass until the world may go on to {@code until}, or it is told. */
    private @Nullable RunEvent waitFor(long until) {
      owedS += (until - time.nanos()) / 1e9 / factor;
      if (owedS < SHORTEST_WAIT_S) {
        return null;
      }
      long millis = Math.round(owedS * 1000);
      owedS = 0;
      return told.poll(millis, AcceleratedTime.this);
    }

    @Override
    public Map<String, String> remarks() {
      return Map.of(Journal.METERED_USD, Double.toString(world.book().billUsd()));
    }
  }
}
