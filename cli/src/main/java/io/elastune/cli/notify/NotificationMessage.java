package io.elastune.cli.notify;

import java.time.Instant;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One notification. It contains no trial output and no environment variables, and therefore no
 * secrets.
 *
 * @param event the event's name in the job file
 * @param text a sentence; its JSON key is {@code text}, which chat services require
 * @param spentUsd the cost so far in USD
 */
record NotificationMessage(String run, String event, String text, double spentUsd, Instant at) {
  String json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("run", run).put("event", event).put("text", run + ": " + text);
    return node.put("spent_usd", spentUsd).put("at", at.toString()).toString();
  }
}
