package io.elastune.provisioner.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Splits a stream into lines. Accepts any bytes; lines longer than {@link #MAX_BYTES} are
 * truncated. A carriage return also ends a line, because progress bars never write a line feed.
 *
 * <p>With a marker, nothing that begins with it is lost because of what stands before it: where the
 * maximum length is reached, the marker begins a new line.
 */
public final class LineSplitter {
  /** The maximum length of a line in bytes; longer lines are truncated. */
  public static final int MAX_BYTES = 64 * 1024;

  /** Receives the lines, without line ends. The array {@code line} is reused for the next line. */
  public interface Sink {
    void line(byte[] line, int length, boolean cut);
  }

  private final Sink sink;
  private final byte[] marker;
  private final byte[] line = new byte[MAX_BYTES];
  private int length;
  private boolean cut;
  private int last;

  /** How many bytes of the marker the last bytes are. */
  private int matched;

  /** Where the last marker begins in the line; 0 if there is none behind its start. */
  private int marked;

  /** Creates a splitter for a stream that is fed in pieces. */
  public LineSplitter(Sink sink) {
    this(sink, new byte[0]);
  }

  private LineSplitter(Sink sink, byte[] marker) {
    this.sink = sink;
    this.marker = marker;
  }

  /** Creates a splitter with a marker. No part of the marker but its first byte begins it. */
  public static LineSplitter withMarker(String marker, Sink sink) {
    return new LineSplitter(sink, marker.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads the stream to its end. A read error counts as the end. */
  public static void read(InputStream stream, Sink sink) {
    new LineSplitter(sink).read(stream);
  }

  /** Reads the stream to its end. A read error counts as the end. */
  public void read(InputStream stream) {
    byte[] buffer = new byte[MAX_BYTES];
    try (stream) {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        feed(buffer, n);
      }
    } catch (IOException e) {
      // The process was killed while its output was read.
      finish();
      return;
    }
    finish();
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
    } else {
      append(next);
    }
    last = next;
  }

  private void append(byte next) {
    if (length == MAX_BYTES && marked > 0) {
      int begin = marked;
      sink.line(line, begin, cut);
      length -= begin;
      marked = 0;
      System.arraycopy(line, begin, line, 0, length);
    }
    if (length < MAX_BYTES) {
      line[length++] = next;
    } else {
      cut = true;
    }
    if (marker.length > 0) {
      match(next);
    }
  }

  private void match(byte next) {
    if (next == marker[matched]) {
      matched++;
    } else {
      matched = next == marker[0] ? 1 : 0;
    }
    if (matched < marker.length) {
      return;
    }
    matched = 0;
    if (cut) {
      emit();
      System.arraycopy(marker, 0, line, 0, marker.length);
      length = marker.length;
    } else {
      marked = length - marker.length;
    }
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
    matched = 0;
    marked = 0;
  }
}
