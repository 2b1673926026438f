package io.elastune.cli.notify;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** The document that is sent. */
public record NotificationDocument(
    @JsonPropertyDescription("The ID of the run.") String run,
    @JsonPropertyDescription("The event.") String event,
    @JsonPropertyDescription("A sentence, which chat services show.") String text,
    @JsonPropertyDescription("Cost so far in USD.") double spentUsd,
    @JsonPropertyDescription("When the event occurred.") Instant at) {}
