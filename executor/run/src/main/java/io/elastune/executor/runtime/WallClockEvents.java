package io.elastune.executor.runtime;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.CloudEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of a run in real time, with one tick per second. After a suspension of the
 * process, a tick says how long it took, and the next one follows the events that arrived
 * meanwhile: time limits depend on them.
 */
final class WallClockEvents implements EventSource {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final long POLL_MS = 200;

  /** The time between two readings of the clock that indicates a suspension. */
  private static final Duration SUSPENDED = Duration.ofSeconds(5);

  /** How long it takes until waiting events were read from pipes. */
  private static final Duration CATCH_UP = Duration.ofSeconds(3);

  private final EventQueue queue;
  private final InstantSource time;
  private final DiskMonitor disk;
  private Instant lastTick = Instant.EPOCH;
  private Instant lastRead = Instant.MAX;
  private boolean begun;

  WallClockEvents(EventQueue queue, InstantSource time, DiskMonitor disk) {
    this.queue = queue;
    this.time = time;
    this.disk = disk;
  }

  @Override
  public RunEvent next(RunState state) {
    while (true) {
      Instant now = time.instant();
      Duration gap = now.isAfter(lastRead) ? Duration.between(lastRead, now) : Duration.ZERO;
      lastRead = now;
      if (gap.compareTo(SUSPENDED) > 0) {
        lastTick = now.plus(CATCH_UP).minus(TICK);
        if (begun) {
          return new RunEvent.Ticked(OptionalDouble.of(Seconds.of(gap)), now);
        }
      }
      if (begun && Duration.between(lastTick, now).compareTo(TICK) >= 0) {
        lastTick = now;
        Optional<CloudEvent> space = disk.check(now);
        return space.isPresent() ? new RunEvent.FromCloud(space.get()) : new RunEvent.Ticked(now);
      }
      @Nullable RunEvent event = queue.poll(POLL_MS, time);
      if (event != null) {
        begun = true; // the first event starts or resumes the run
        return event;
      }
    }
  }
}
