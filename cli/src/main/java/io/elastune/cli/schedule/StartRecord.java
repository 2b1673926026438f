package io.elastune.cli.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line in the log of a schedule. A start writes {@link State#STARTED} first, and replaces its
 * meaning by a second line with the same time when the run has ended.
 *
 * @param at when the timer fired
 * @param exit the exit code of the run, or 0
 * @param text why it was skipped, or empty
 * @param runs the run and its profiling runs
 * @param usd their cost at that time
 */
record StartRecord(Instant at, State state, int exit, String text, List<String> runs, double usd) {
  enum State {
    STARTED,
    ENDED,
    SKIPPED
  }

  StartRecord {
    runs = List.copyOf(runs);
  }

  static StartRecord of(JsonNode node) {
    return new StartRecord(
        Instant.parse(node.path("at").asString()),
        State.valueOf(node.path("state").asString().toUpperCase(Locale.ROOT)),
        node.path("exit").asInt(),
        node.path("text").asString(""),
        node.path("runs").valueStream().map(JsonNode::asString).toList(),
        node.path("usd").asDouble());
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("at", at.toString()).put("state", state.name().toLowerCase(Locale.ROOT));
    node.put("exit", exit).put("text", text);
    runs.forEach(node.putArray("runs")::add);
    return node.put("usd", usd);
  }
}
