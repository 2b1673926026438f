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
  public static final int NUMBER = 2;

  /** The byte on standard input that stands for Ctrl-C, in a session without a terminal. */
  public static final int INTERRUPT = 'I';

  private static final String PREFIX = "elastune-remote: ";

  /** The field of a mark with the position in the output that a later connection continues at. */
  public static final String POSITION = "position";

  /** The field of a mark with the name of a file that has changed. */
  public static final String FILE = "file";

  /** The beginning of the names of the jobs that schedules use. */
  public static final String SCHEDULED = "schedule-";

  private static final String MARK = "elastune-mark-";

  private RemoteProtocol() {}

  /**
   * Returns the beginning of lines in the output that are no output: marks, as JSON. It contains
   * the random token of the session, so that no training program prints such a line.
   */
  public static String markPrefix(String token) {
    return MARK + token + " ";
  }

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
