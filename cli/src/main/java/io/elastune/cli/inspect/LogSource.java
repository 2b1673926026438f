package io.elastune.cli.inspect;

import java.nio.file.Path;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The source of a log: a trial, or the setup of an instance.
 *
 * @param title the name in text output
 * @param key the identification in JSON output
 */
record LogSource(String title, ObjectNode key, Path path) {
  static LogSource trial(int trial, Path path) {
    ObjectNode key = JsonNodeFactory.instance.objectNode().put("trial", trial);
    return new LogSource("trial " + trial, key, path);
  }

  static LogSource setup(String lease, Path path) {
    ObjectNode key = JsonNodeFactory.instance.objectNode().put("lease", lease);
    return new LogSource("setup of " + lease, key, path);
  }
}
