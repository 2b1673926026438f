package io.elastune.executor.ray.link;

import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;

/** Writes frames to a stream. */
public final class FrameWriter {
  private static final JsonMapper JSON = new JsonMapper();

  private final OutputStream stream;

  /** Creates a writer. */
  public FrameWriter(OutputStream stream) {
    this.stream = stream;
  }

  /**
   * Writes a frame and flushes the stream.
   *
   * @throws IllegalArgumentException if the frame is larger than the protocol permits
   */
  public void write(Frame frame) throws IOException {
    if (frame.bytes().length > 0) {
      frame.header().put(Frame.BYTES, frame.bytes().length);
    } else {
      frame.header().remove(Frame.BYTES);
    }
    byte[] line = JSON.writeValueAsBytes(frame.header());
    if (line.length > Frame.MAX_LINE || frame.bytes().length > Frame.MAX_BYTES) {
      throw new IllegalArgumentException("a frame is too large: " + line.length + " bytes of JSON");
    }
    stream.write(line);
    stream.write('\n');
    stream.write(frame.bytes());
    stream.flush();
  }
}
