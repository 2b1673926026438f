package io.elastune.executor.ray.link;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One message of the frame protocol, version 1: a JSON object, followed by raw bytes if its field
 * {@code bytes} is positive.
 */
public final class Frame {
  /** The version of the protocol. */
  public static final int PROTOCOL = 1;

  /** The maximum length of the JSON line. */
  public static final int MAX_LINE = 1 << 20;

  /** The maximum number of raw bytes. */
  public static final int MAX_BYTES = 4 << 20;

  static final String BYTES = "bytes";

  private final ObjectNode header;
  private final byte[] bytes;

  Frame(ObjectNode header, byte[] bytes) {
    this.header = header;
    this.bytes = bytes;
  }

  /** Returns the JSON object. */
  public ObjectNode header() {
    return header;
  }

  /** Returns the result of a request; a missing node if this is no answer or an error. */
  public JsonNode ok() {
    return header.path("ok");
  }

  /** Returns the raw bytes without a copy. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return header.toString();
  }
}
