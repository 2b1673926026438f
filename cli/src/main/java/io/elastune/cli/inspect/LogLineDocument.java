package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.plan.json.KeyIfPresent;
import java.util.Optional;

/** A line of {@code logs --json}. */
public record LogLineDocument(
    @KeyIfPresent @JsonPropertyDescription("The number of the trial.") Optional<Integer> trial,
    @KeyIfPresent @JsonPropertyDescription("With --setup: the ID of the lease.")
        Optional<String> lease,
    @JsonPropertyDescription("The line.") String line) {}
