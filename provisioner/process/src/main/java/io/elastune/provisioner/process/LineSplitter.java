package io.elastune.provisioner.process;

import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a stream into lines. Accepts any bytes; lines longer than {@link #MAX_BYTES} are
 * truncated. A carriage return also ends a line, because progress bars never write a line feed.
 */
public final class LineSplitter {
  /** The maximum length of a line in bytes; longer lines are truncated. */
  public static final int MAX_BYTES = 64 * 1024;

  /** Receives the lines, without line ends. The array {@code line} is reused for the next line. */
  public interface Sink {
    void line(byte[] line, int length, boolean cut);
  }

  private final Sink sink;
  private final byte[] line = new byte[MAX_BYTES];
  private int length;
  private boolean cut;
  private int last;

  /** Creates a splitter for a stream that is fed in pieces. */
  public LineSplitter(Sink sink) {
    this.sink = sink;
  }

  /** Reads the stream to its end. A read error counts as the end. */
  public static void read(InputStream stream, Sink sink) {
    LineSplitter lineSplitter = new LineSplitter(sink);
    byte[] buffer = new byte[MAX_BYTES];
    try (stream) {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        lineSplitter.feed(buffer, n);
      }
    } catch (IOException e) {
      // The process was killed while its output was read.
      lineSplitter.finish();
      return;
    }
    lineSplitter.finish();
  }

  /** Adds the first {@code count} bytes to the stream. */
  public void feed(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      take(bytes[i]);
    }
  }

  private void take(byte next) {
    if (next == '\n' || next == '\r') {
      if (next == '\r' || last != '\r') {
        emit();
      }
    } else if (length < MAX_BYTES) {
      line[length++] = next;
    } else {
      cut = true;
    }
    last = next;
  }

  /** Ends the stream. */
  public void finish() {
    if (length > 0) {
      emit();
    }
  }

  private void emit() {
    sink.line(line, length, cut);
    length = 0;
    cut = false;
  }
}
