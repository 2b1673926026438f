package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Counts the controllers of a run, so that nodes can refuse late commands of earlier ones. */
public final class ControllerCount {
  private ControllerCount() {}

  /**
   * Counts a new controller, which must hold the lock of the run. The number is on the disk before
   * this method returns.
   *
   * @return the number of controllers so far, with this one
   * @throws UncheckedIOException if the number cannot be stored: the run must not begin
   */
  public static int next(RunFolder folder) {
    Path file = folder.controllers();
    try {
      int next = read(file) + 1;
      Path temporary = PrivateFiles.createFile(file.resolveSibling(file.getFileName() + ".tmp"));
      try (FileChannel channel =
          FileChannel.open(
              temporary, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer text = ByteBuffer.wrap((next + "\n").getBytes(StandardCharsets.US_ASCII));
        while (text.hasRemaining()) {
          channel.write(text);
        }
        channel.force(true);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      return next;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the controller in " + file, e);
    }
  }

  private static int read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      return 0;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException(file + " contains no number: " + text, e);
    }
  }
}
