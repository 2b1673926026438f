package io.elastune.cli.inspect;

import io.elastune.core.files.LimitedLog;
import io.elastune.core.files.LogCut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the new lines of a log file that may still grow, or lose lines between head and tail. */
final class LogTailer {
  private static final int CHUNK = 1 << 16;

  private final Path path;
  private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
  private long position;
  private long emitted;
  private LogCut cut = new LogCut(LimitedLog.LIMITS.headBytes(), 0);
  private long offset;

  /**
   * Creates a reader.
   *
   * @param position the number of bytes at the beginning that are not passed on
   */
  LogTailer(Path path, long position) {
    this.path = path;
    this.position = position;
    this.emitted = position;
  }

  /** Returns the number of bytes in the lines that were passed on. */
  long emitted() {
    return emitted;
  }

  /** Passes on every line that was completed since the last call. */
  void readNewLines(Consumer<byte[]> lines) {
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      cut = LogCut.read(channel, LimitedLog.LIMITS.headBytes());
      offset = cut.offset(position);
      channel.position(offset);
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
      while (channel.read(chunk) > 0) {
        split(chunk.flip(), lines);
        position = cut.position(offset);
        chunk.clear();
      }
    } catch (NoSuchFileException e) {
      return; // Nothing has been written yet.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void split(ByteBuffer chunk, Consumer<byte[]> lines) {
    while (chunk.hasRemaining()) {
      byte next = chunk.get();
      offset++;
      if (next == '\n') {
        emitted = cut.position(offset);
        emit(lines);
      } else {
        unfinished.write(next);
      }
    }
  }

  private void emit(Consumer<byte[]> lines) {
    lines.accept(unfinished.toByteArray());
    unfinished.reset();
  }

  /** Passes on a last line without a line end. */
  void readUnfinishedLine(Consumer<byte[]> lines) {
    if (unfinished.size() > 0) {
      emitted = position;
      emit(lines);
    }
  }
}
