package io.elastune.executor.local;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a stream into lines, whatever comes: binary rubbish, or a line without an end, of which only
 * the beginning is kept. A carriage return ends a line too, or a progress bar would never end.
 */
final class Lines {
  /** Longer lines are cut. */
  static final int LONGEST = 64 * 1024;

  /** Takes one line without its end; {@code line} is used again for the next. */
  interface Sink {
    void line(byte[] line, int length, boolean cut);
  }

  private final Sink sink;
  private final byte[] line = new byte[LONGEST];
  private int length;
  private boolean cut;
  private int last;

  private Lines(Sink sink) {
    this.sink = sink;
  }

  /** Reads to the end; a stream that breaks has ended. */
  static void read(InputStream stream, Sink sink) {
    Lines lines = new Lines(sink);
    byte[] buffer = new byte[LONGEST];
    try (stream) {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        for (int i = 0; i < n; i++) {
          lines.take(buffer[i]);
        }
      }
    } catch (IOException e) {
      // The process was ended while it was being read.
      lines.finish();
      return;
    }
    lines.finish();
  }

  private void take(byte next) {
    if (next == '\n' || next == '\r') {
      if (next == '\r' || last != '\r') {
        tell();
      }
    } else if (length < LONGEST) {
      line[length++] = next;
    } else {
      cut = true;
    }
    last = next;
  }

  private void finish() {
    if (length > 0) {
      tell();
    }
  }

  private void tell() {
    sink.line(line, length, cut);
    length = 0;
    cut = false;
  }
}
