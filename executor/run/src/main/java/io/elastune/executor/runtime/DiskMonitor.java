package io.elastune.executor.runtime;

import io.elastune.core.files.DiskSpace;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports while the disk with the folder of a run has little space: the logs of all trials, and
 * checkpoints without a bucket, are stored there. A full disk ends the run. Not thread-safe.
 */
final class DiskMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(DiskMonitor.class);
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final String PLACE = "controller";
  private static final double GIGABYTE = 1e9;
  private static final long MEGABYTE = 1_000_000;

  /** Free bytes below which the disk is nearly full. */
  static final long LEAST_FREE = 2_000_000_000L;

  /** Free bytes from which it is not any more. */
  static final long ENOUGH_FREE = 2_500_000_000L;

  private final Path folder;
  private final Supplier<OptionalLong> free;
  private Instant next = Instant.MIN;
  private Optional<Instant> since = Optional.empty();

  /** Creates a monitor of the disk of a folder. */
  DiskMonitor(Path folder) {
    this(folder, () -> DiskSpace.free(folder));
  }

  /**
   * Creates a monitor.
   *
   * @param free returns the free bytes; empty if they are unknown
   */
  DiskMonitor(Path folder, Supplier<OptionalLong> free) {
    this.folder = folder;
    this.free = free;
  }

  /** Returns the begin or the end of a lack of space; empty if nothing has changed. */
  Optional<CloudEvent> check(Instant now) {
    if (now.isBefore(next)) {
      return Optional.empty();
    }
    next = now.plus(INTERVAL);
    OptionalLong found = free.get();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    long bytes = found.getAsLong();
    if (since.isEmpty() && bytes < LEAST_FREE) {
      since = Optional.of(now);
      String message =
          String.format(
              Locale.ROOT,
              bytes < GIGABYTE
                  ? "%2$,d MB are free on the disk with %3$s"
                  : "%1$.1f GB are free on the disk with %3$s",
              bytes / GIGABYTE,
              bytes / MEGABYTE,
              folder);
      LOG.warn("{}: the run ends if it is full", message);
      return Optional.of(
          new CloudEvent.HealthChanged(PLACE, CloudImpairment.DISK_LOW, true, message, now, now));
    }
    if (since.isPresent() && bytes >= ENOUGH_FREE) {
      since = Optional.empty();
      return Optional.of(
          new CloudEvent.HealthChanged(PLACE, CloudImpairment.DISK_LOW, false, "", now, now));
    }
    return Optional.empty();
  }
}
