package io.elastune.cli.execute;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates the first document of commands that execute a run with {@code --json}. */
final class FirstDocument {
  private FirstDocument() {}

  /** Returns the first document of {@code run --json}. */
  static ObjectNode started(String run, ArrayNode plan) {
    ObjectNode started =
        JsonNodeFactory.instance.objectNode().put("event", "started").put("run", run);
    started.set("plan", plan);
    return started;
  }

  /** Returns the first document of {@code resume --json}. */
  static ObjectNode resumed(String run) {
    return JsonNodeFactory.instance.objectNode().put("event", "resumed").put("run", run);
  }
}
