package io.elastune.core.files;

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

/**
 * A private file that this process has locked. The operating system releases the lock when the
 * process ends in any way; a stored process id would not be reliable.
 */
public final class LockedFile implements AutoCloseable {
  private final FileChannel channel;

  private LockedFile(FileChannel channel) {
    this.channel = channel;
  }

  /** Locks a file, which is created if it is missing, unless it is locked. */
  public static Optional<LockedFile> tryAcquire(Path file) throws IOException {
    return tryAcquire(file, 1, () -> {});
  }

  /**
   * Locks a file as {@link #tryAcquire(Path)} does, with several attempts: {@link #isHeld} of
   * another process holds the lock for a moment.
   *
   * @param pause waits between two attempts
   */
  public static Optional<LockedFile> tryAcquire(Path file, int attempts, Runnable pause)
      throws IOException {
    FileChannel channel = FileChannel.open(PrivateFiles.createFile(file), StandardOpenOption.WRITE);
    for (int attempt = 1; !tryLock(channel, false); attempt++) {
      if (attempt == attempts) {
        channel.close();
        return Optional.empty();
      }
      pause.run();
    }
    return Optional.of(new LockedFile(channel));
  }

  /**
   * Returns whether a process has locked the file. Several processes can check at once. The process
   * that holds the lock must not call this: closing a second channel to the file releases the lock.
   */
  public static boolean isHeld(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return !tryLock(channel, true);
    }
  }

  private static boolean tryLock(FileChannel channel, boolean shared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
    } catch (OverlappingFileLockException e) {
      return false; // this process holds it
    }
  }

  /** Replaces the contents of the file. */
  public void write(String text) throws IOException {
    channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Fails if the lock was released. */
  public void requireHeld() {
    if (!channel.isOpen()) {
      throw new IllegalStateException("the lock was released");
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
