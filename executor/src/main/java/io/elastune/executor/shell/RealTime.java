package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Time as it passes for everybody: events come by themselves, and a tick every second. */
final class RealTime implements Happenings {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final long LOOK_MS = 200;

  private final Told told;
  private final InstantSource time;
  private Instant lastTick = Instant.EPOCH;
  private boolean begun;

  RealTime(Told told, InstantSource time) {
    this.told = told;
    this.time = time;
  }

  @Override
  public RunEvent next(RunState state) {
    while (true) {
      Instant now = time.instant();
      if (begun && Duration.between(lastTick, now).compareTo(TICK) >= 0) {
        lastTick = now;
        return new RunEvent.Ticked(now);
      }
      @Nullable RunEvent event = told.poll(LOOK_MS, time);
      if (event != null) {
        begun = true; // the first event is that the run begins, or goes on
        return event;
      }
    }
  }
}
