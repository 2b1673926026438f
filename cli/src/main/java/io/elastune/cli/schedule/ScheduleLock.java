package io.elastune.cli.schedule;

import io.elastune.cli.inspect.PollDelay;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file that is locked while a run of the schedule is in progress. The operating system releases
 * the lock when the process ends in any way.
 */
final class ScheduleLock implements AutoCloseable {
  /** A check holds the lock for microseconds, a start for as long as its run. */
  private static final int ATTEMPTS = 25;

  private static final long PAUSE_MS = 20;

  private final FileChannel channel;

  private ScheduleLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Acquires the lock, unless another process holds it for longer than a check. */
  static Optional<ScheduleLock> tryAcquire(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLock(channel, false)) {
        return Optional.of(new ScheduleLock(channel));
      }
      if (!PollDelay.sleepMillis(PAUSE_MS)) {
        break;
      }
    }
    channel.close();
    return Optional.empty();
  }

  /**
   * Returns whether a start is in progress. The process that holds the lock must not call this:
   * closing a second channel to the file releases the lock.
   */
  static boolean isHeld(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return !tryLock(channel, true);
    }
  }

  private static boolean tryLock(FileChannel channel, boolean shared) throws IOException {
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // this process holds it
    }
  }

  /** Fails if the lock was released. */
  void requireHeld() {
    if (!channel.isOpen()) {
      throw new IllegalStateException("the lock was released");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
