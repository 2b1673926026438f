package io.elastune.cli.notify;

import java.time.Instant;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is told. Holds nothing that a trial has printed and nothing of the environment, so that no
 * secret can be in it.
 *
 * @param event the event's name, as job files call it
 * @param text a sentence for people; also under {@code text}, as chat services want it
 * @param spentUsd dollars so far
 */
record Message(String run, String event, String text, double spentUsd, Instant at) {
  String json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("run", run).put("event", event).put("text", run + ": " + text);
    return node.put("spent_usd", spentUsd).put("at", at.toString()).toString();
  }
}
