package io.elastune.cli.notify;

import io.elastune.plan.json.JsonDocuments;
import java.time.Instant;

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
    return JsonDocuments.of(new NotificationDocument(run, event, run + ": " + text, spentUsd, at))
        .toString();
  }
}
