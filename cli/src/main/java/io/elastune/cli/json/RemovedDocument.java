package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The document of {@code profiles rm} and {@code schedule rm}. */
public record RemovedDocument(
    @JsonPropertyDescription("The name of what was removed.") String removed) {}
