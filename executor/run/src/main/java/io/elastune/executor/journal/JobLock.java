package io.elastune.executor.journal;

import io.elastune.core.files.LockedFile;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ensures that one process at a time starts or resumes runs of one job. The locked file contains
 * the id of its process, for messages.
 */
public final class JobLock implements AutoCloseable {
  private final LockedFile file;

  private JobLock(LockedFile file) {
    this.file = file;
  }

  /** Acquires the lock of {@code job}, unless another process holds it. */
  public static Optional<JobLock> tryAcquire(Path home, String job) {
    Path file = file(home, job);
    try {
      PrivateFiles.createParent(file);
      Optional<LockedFile> locked = LockedFile.tryAcquire(file);
      if (locked.isPresent()) {
        locked.get().write(Long.toString(ProcessHandle.current().pid()));
      }
      return locked.map(JobLock::new);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + file, e);
    }
  }

  /** Returns the id of the process that acquired the lock last; empty if it is unknown. */
  public static OptionalLong lastHolder(Path home, String job) {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(file(home, job))));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static Path file(Path home, String job) {
    return home.resolve("jobs").resolve(job + ".lock");
  }

  @Override
  public void close() {
    file.close();
  }
}
