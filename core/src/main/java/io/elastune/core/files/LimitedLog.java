package io.elastune.core.files;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Appends lines to a log whose size is limited: of a longer one, its head and its tail are kept,
 * and a line says how much is left out between them ({@link LogCut}). It also stops before the disk
 * is full: what is left of it belongs to the journal and to checkpoints. Not thread-safe.
 */
public final class LimitedLog implements Closeable {
  /** The limits of the log of a trial, and of a setup. */
  public static final Limits LIMITS = new Limits(16L << 20, 64L << 20);

  /** The free space of the disk is read after so many bytes. */
  private static final long CHECKED_BYTES = 1 << 20;

  /**
   * The limits of a log.
   *
   * @param headBytes the bytes at its begin that are kept
   * @param mostBytes its largest size. The tail that is kept of a longer one begins with half of
   *     the rest
   */
  public record Limits(long headBytes, long mostBytes) {}

  private final Path path;
  private final Limits limits;
  private OutputStream out;
  private LogCut cut;
  private long size;
  private long unchecked = CHECKED_BYTES;

  /** Opens a log, which may exist. */
  public LimitedLog(Path path) throws IOException {
    this(path, LIMITS);
  }

  LimitedLog(Path path, Limits limits) throws IOException {
    this.path = path;
    this.limits = limits;
    PrivateFiles.createParent(path);
    PrivateFiles.createFile(path);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      size = file.size();
      cut = LogCut.read(file, limits.headBytes());
    }
    out = append();
  }

  private OutputStream append() throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(path, StandardOpenOption.APPEND));
  }

  /**
   * Appends the parts of a line, with its end.
   *
   * @throws IOException if they cannot be written, or if the disk is nearly full
   */
  public void line(byte[]... parts) throws IOException {
    long bytes = 1;
    for (byte[] part : parts) {
      bytes += part.length;
    }
    checkDisk(bytes);
    if (size + bytes > limits.mostBytes() && size > limits.headBytes()) {
      shorten();
    }
    for (byte[] part : parts) {
      out.write(part);
    }
    out.write('\n');
    out.flush();
    size += bytes;
  }

  private void checkDisk(long bytes) throws IOException {
    unchecked += bytes;
    if (unchecked < CHECKED_BYTES) {
      return;
    }
    unchecked = 0;
    if (DiskSpace.isReserved(path)) {
      throw new IOException(
          "the disk is nearly full, and the rest is reserved for the journal and checkpoints");
    }
  }

  /** Writes the head and the end of the tail to another file, which replaces this one. */
  private void shorten() throws IOException {
    out.close();
    Path other = path.resolveSibling(path.getFileName() + ".part");
    long begin = size - (limits.mostBytes() - limits.headBytes()) / 2;
    try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                PrivateFiles.createFile(other),
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      long tail = lineStart(from, Math.max(begin, cut.tailOffset()));
      cut = cut.plus(tail - cut.tailOffset());
      copy(from, 0, limits.headBytes(), to);
      OutputStream line = Channels.newOutputStream(to);
      line.write(cut.line());
      copy(from, tail, size - tail, to);
      size = to.size();
    }
    Files.move(other, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    out = append();
  }

  private static long lineStart(FileChannel from, long offset) throws IOException {
    from.position(offset);
    InputStream input = new BufferedInputStream(Channels.newInputStream(from));
    long start = offset;
    for (int next = input.read(); next >= 0; next = input.read()) {
      start++;
      if (next == '\n') {
        return start;
      }
    }
    return start;
  }

  private static void copy(FileChannel from, long offset, long bytes, FileChannel to)
      throws IOException {
    long left = bytes;
    long at = offset;
    while (left > 0) {
      long copied = from.transferTo(at, left, to);
      if (copied <= 0) {
        return;
      }
      at += copied;
      left -= copied;
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
