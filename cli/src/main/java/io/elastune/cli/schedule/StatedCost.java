package io.elastune.cli.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The document of {@code schedule cost --json}. */
public record StatedCost(
    @JsonPropertyDescription("The ID of the run.") String run,
    @JsonPropertyDescription("Its cost in USD, as stated by the user.") double usd) {}
