package io.elastune.executor.rehearsal;

import io.elastune.core.Preconditions;
import io.elastune.executor.decision.NextTick;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.runtime.EventQueue;
import io.elastune.executor.runtime.EventSource;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The accelerated clock of a simulated run that users watch. Virtual time stands still while the
 * run decides, so the result does not depend on the speed of the machine. The run gets a tick
 * whenever its timers need one, and often enough to update the screen.
 */
public final class AcceleratedClock implements InstantSource {
  /** The interval of screen updates, in seconds of real time. */
  private static final double SCREEN_INTERVAL_S = 0.2;

  /** Shorter waits are skipped and added to the next one, in seconds. */
  private static final double MIN_WAIT_S = 0.02;

  private final SimulatedEnvironment world;
  private final VirtualTime time;
  private final RunDefinition definition;
  private final double factor;
  private final long period;
  private long lastTick;
  private double pendingWaitS;
  private volatile Instant now;

  /**
   * Creates the clock of a simulated environment that has not started.
   *
   * @param definition the input of the run's decision core
   * @param factor how many times faster than real time; infinite to never wait
   */
  public AcceleratedClock(SimulatedEnvironment world, RunDefinition definition, double factor) {
    Preconditions.that(factor > 0, "factor must be positive");
    this.world = world;
    this.time = world.time();
    this.definition = definition;
    this.factor = factor;
    now = time.instant();
    double periodS = Math.min(Math.max(1, factor * SCREEN_INTERVAL_S), Integer.MAX_VALUE);
    period = VirtualTime.nanos(Math.floor(periodS));
  }

  /** Creates the event source of a run with this queue. */
  public EventSource eventsOf(EventQueue queue) {
    return new VirtualEvents(queue);
  }

  /** Returns the virtual time. May be called from any thread. */
  @Override
  public Instant instant() {
    return now;
  }

  /** Returns the first whole second at which a timer or a screen update is due. */
  private long nextTick(RunState state) {
    long last = time.nanos();
    long due = lastTick + period;
    long timer =
        NextTick.next(definition, state)
            .map(at -> VirtualTime.nanos(Math.ceil(time.nanos(at) / 1e9)))
            .map(at -> Math.max(at, VirtualTime.nanos(Math.floor(last / 1e9) + 1)))
            .orElse(Long.MAX_VALUE);
    return Math.max(last, Math.min(due, timer));
  }

  private final class VirtualEvents implements EventSource {
    private final EventQueue queue;

    VirtualEvents(EventQueue queue) {
      this.queue = queue;
    }

    @Override
    public RunEvent next(RunState state) {
      long tick = nextTick(state);
      while (true) {
        @Nullable RunEvent event = queue.poll(0, AcceleratedClock.this);
        if (event != null) {
          return event;
        }
        long until = Math.min(tick, time.nextActionNanos());
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

    /** Waits in real time until virtual time may advance to {@code until}, or an event arrives. */
    private @Nullable RunEvent waitFor(long until) {
      pendingWaitS += (until - time.nanos()) / 1e9 / factor;
      if (pendingWaitS < MIN_WAIT_S) {
        return null;
      }
      long millis = Math.round(pendingWaitS * 1000);
      pendingWaitS = 0;
      return queue.poll(millis, AcceleratedClock.this);
    }

    @Override
    public Map<String, String> journalValues() {
      return Map.of(Journal.METERED_USD, Double.toString(world.groundTruth().costUsd()));
    }
  }
}
