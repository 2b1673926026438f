package io.elastune.executor.ray.link;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads frames from a stream. After an error, the stream cannot be used any more. */
public final class FrameReader {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SHOWN = 80;

  private final InputStream stream;

  /** Creates a reader. */
  public FrameReader(InputStream stream) {
    this.stream = new BufferedInputStream(stream, 1 << 16);
  }

  /**
   * Reads the next frame; empty at the end of the stream.
   *
   * @throws IOException if the stream ends inside a frame, or does not contain one
   */
  public Optional<Frame> read() throws IOException {
    byte[] line = line();
    if (line.length == 0) {
      return Optional.empty();
    }
    ObjectNode header = parse(line);
    JsonNode size = header.path(Frame.BYTES);
    if (!size.isMissingNode() && !size.isInt()) {
      throw new IOException("the field bytes of a frame is not an integer: " + size);
    }
    int count = size.asInt(0);
    if (count < 0 || count > Frame.MAX_BYTES) {
      throw new IOException("a frame has " + count + " raw bytes");
    }
    byte[] bytes = stream.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the stream ended after " + bytes.length + " of " + count + " bytes");
    }
    return Optional.of(new Frame(header, bytes));
  }

  private byte[] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    for (int next = stream.read(); next != '\n'; next = stream.read()) {
      if (next < 0) {
        if (line.size() == 0) {
          return new byte[0];
        }
        throw new EOFException("the stream ended in a line");
      }
      if (line.size() == Frame.MAX_LINE) {
        throw new IOException("a line is longer than " + Frame.MAX_LINE + " bytes");
      }
      line.write(next);
    }
    if (line.size() == 0) {
      throw new IOException("a line is empty");
    }
    return line.toByteArray();
  }

  private static ObjectNode parse(byte[] line) throws IOException {
    try {
      if (JSON.readTree(line) instanceof ObjectNode header) {
        return header;
      }
    } catch (JacksonException e) {
      throw new IOException("a line is not JSON: " + shown(line), e);
    }
    throw new IOException("a line is not a JSON object: " + shown(line));
  }

  private static String shown(byte[] line) {
    String text = new String(line, StandardCharsets.UTF_8);
    return text.substring(0, Math.min(SHOWN, text.length()));
  }
}
