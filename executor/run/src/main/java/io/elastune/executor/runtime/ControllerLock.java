package io.elastune.executor.runtime;

import io.elastune.core.files.LockedFile;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Ensures that a run has at most one controller. */
public final class ControllerLock implements AutoCloseable {
  /** A check holds the lock for microseconds, a controller for as long as it lives. */
  private static final int ATTEMPTS = 50;

  private static final long PAUSE_NANOS = 10_000_000;

  private final LockedFile file;

  private ControllerLock(LockedFile file) {
    this.file = file;
  }

  /**
   * Acquires the lock, unless another controller holds it. Tries for half a second, because {@link
   * #isHeld} of another process, such as that of {@code status --watch}, holds it for a moment.
   */
  public static Optional<ControllerLock> tryAcquire(RunFolder folder) {
    try {
      return LockedFile.tryAcquire(
              folder.lock(), ATTEMPTS, () -> LockSupport.parkNanos(PAUSE_NANOS))
          .map(ControllerLock::new);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + folder.lock(), e);
    }
  }

  /**
   * Returns whether a controller is alive. The process that holds the lock must not call this; see
   * {@link LockedFile#isHeld}.
   */
  public static boolean isHeld(RunFolder folder) {
    try {
      return LockedFile.isHeld(folder.lock());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot check the lock " + folder.lock(), e);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
