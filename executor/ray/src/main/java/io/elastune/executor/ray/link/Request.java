package io.elastune.executor.ray.link;

import java.time.Duration;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to the bridge. Every operation may be repeated, so a request whose answer was lost is
 * sent again.
 */
public final class Request {
  private static final Duration DEADLINE = Duration.ofSeconds(12);
  private static final Duration TRANSFER_DEADLINE = Duration.ofSeconds(60);
  private static final Duration BUCKET_DEADLINE = Duration.ofMinutes(15);

  private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
  private final Duration deadline;
  private byte[] bytes = {};

  private Request(String op, Duration deadline) {
    fields.put("op", op);
    this.deadline = deadline;
  }

  /** Creates a request about the whole cluster. */
  public static Request of(String op) {
    return new Request(op, DEADLINE);
  }

  /** Creates a request for the agent of a lease. */
  public static Request of(String op, String lease) {
    Duration deadline =
        switch (op) {
          case "get", "put", "unpack", "tidy", "place", "checkpoints", "start", "detach" ->
              TRANSFER_DEADLINE;
          case "pack", "upload", "download" -> BUCKET_DEADLINE;
          default -> DEADLINE;
        };
    return new Request(op, deadline).with("lease", lease);
  }

  /** Adds a field. */
  public Request with(String name, String value) {
    fields.put(name, value);
    return this;
  }

  /** Adds a field. */
  public Request with(String name, long value) {
    fields.put(name, value);
    return this;
  }

  /** Adds a field. */
  public Request with(String name, double value) {
    fields.put(name, value);
    return this;
  }

  /** Adds a field. */
  public Request with(String name, boolean value) {
    fields.put(name, value);
    return this;
  }

  /** Adds a field; the node may be changed afterwards. */
  public ObjectNode object(String name) {
    return fields.putObject(name);
  }

  /** Adds a field with a list of texts. */
  public Request with(String name, Iterable<String> values) {
    values.forEach(fields.withArray("/" + name)::add);
    return this;
  }

  /** Sets the raw bytes. */
  public Request bytes(byte[] raw) {
    bytes = raw;
    return this;
  }

  String op() {
    return fields.path("op").asString();
  }

  Duration deadline() {
    return deadline;
  }

  Frame frame(long id) {
    return new Frame(fields.deepCopy().put("id", id), bytes);
  }

  @Override
  public String toString() {
    return op() + " of " + fields.path("lease").asString("the cluster");
  }
}
