package io.elastune.cli.remote;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code elastune --host} and {@code elastune remote} on the controller machine agree on.
 * Requests are JSON documents in the command line. A response is one line with a prefix, because
 * the login shell there may print text of its own.
 */
public final class RemoteProtocol {
  /** Increases with each incompatible change of requests or responses. */
  public static final int NUMBER = 1;

  /** The byte on standard input that stands for Ctrl-C, in a session without a terminal. */
  public static final int INTERRUPT = 'I';

  private static final String PREFIX = "elastune-remote: ";

  private RemoteProtocol() {}

  /** Returns an empty document. */
  public static ObjectNode document() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Returns the line of a response. */
  static String line(JsonNode response) {
    return PREFIX + response;
  }

  /** Finds the response in an output. */
  public static Optional<JsonNode> response(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith(PREFIX))
        .findFirst()
        .map(line -> JsonMapper.shared().readTree(line.substring(PREFIX.length())));
  }
}
