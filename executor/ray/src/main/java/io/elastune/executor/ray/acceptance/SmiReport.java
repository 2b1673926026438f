package io.elastune.executor.ray.acceptance;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What {@code nvidia-smi} reports.
 *
 * @param found whether the program exists
 * @param timedOut whether it did not answer in time
 * @param exit its exit code
 * @param output its output
 */
record SmiReport(boolean found, boolean timedOut, int exit, String output) {
  static final SmiReport MISSING = new SmiReport(false, false, 0, "");

  static SmiReport of(JsonNode json) {
    return new SmiReport(
        json.path("found").asBoolean(false),
        json.path("timed_out").asBoolean(false),
        json.path("exit").asInt(0),
        json.path("output").asString(""));
  }

  boolean isList() {
    return found && !timedOut && exit == 0;
  }

  /** Returns whether its libraries do not fit the driver that is loaded: until a reboot. */
  boolean isMismatch() {
    return output.contains("version mismatch");
  }

  /** Returns its lines, one for each GPU; none if it did not succeed. */
  List<String> lines() {
    return isList()
        ? output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()
        : List.of();
  }
}
