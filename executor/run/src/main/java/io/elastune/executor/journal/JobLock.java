package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ensures that one process at a time starts or resumes runs of one job. The operating system
 * releases the lock when the process ends in any way. The file contains the id of its process, for
 * messages.
 */
public final class JobLock implements AutoCloseable {
  private final FileChannel channel;

  private JobLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Acquires the lock of {@code job}, unless another process holds it. */
  public static Optional<JobLock> tryAcquire(Path home, String job) {
    Path file = file(home, job);
    try {
      PrivateFiles.createParent(file);
      FileChannel channel =
          FileChannel.open(PrivateFiles.createFile(file), StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        channel.close();
        return Optional.empty();
      }
      String pid = Long.toString(ProcessHandle.current().pid());
      channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
      return Optional.of(new JobLock(channel));
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

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
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
