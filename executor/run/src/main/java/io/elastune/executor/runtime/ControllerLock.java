package io.elastune.executor.runtime;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Ensures that a run has at most one controller. The operating system releases the lock when the
 * process ends in any way; a stored process id would not be reliable.
 */
public final class ControllerLock implements AutoCloseable {
  /** A check holds the lock for microseconds, a controller for as long as it lives. */
  private static final int ATTEMPTS = 50;

  private static final long PAUSE_NANOS = 10_000_000;

  private final FileChannel channel;

  private ControllerLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Acquires the lock, unless another controller holds it. Tries for half a second, because {@link
   * #isHeld} of another process, such as that of {@code status --watch}, holds it for a moment.
   */
  public static Optional<ControllerLock> tryAcquire(RunFolder folder) {
    try {
      FileChannel channel =
          FileChannel.open(PrivateFiles.createFile(folder.lock()), StandardOpenOption.WRITE);
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (tryLock(channel, false)) {
          return Optional.of(new ControllerLock(channel));
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + folder.lock(), e);
    }
  }

  /**
   * Returns whether a controller is alive. Several processes can check at once. The process that
   * holds the lock must not call this: closing a second channel to the file releases the lock.
   */
  public static boolean isHeld(RunFolder folder) {
    if (!Files.exists(folder.lock())) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(folder.lock(), StandardOpenOption.READ)) {
      return !tryLock(channel, true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot check the lock " + folder.lock(), e);
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

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
