package io.elastune.cli.account;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** An instance in the document of {@code orphans --json}. */
public record OrphanDocument(
    @JsonPropertyDescription("The provider.") String provider,
    @JsonPropertyDescription("Its region.") String region,
    @JsonPropertyDescription("Its ID.") String id,
    @JsonPropertyDescription("Its instance type.") String instanceType,
    @JsonPropertyDescription("The run that requested it.") String run,
    @JsonPropertyDescription("The owner in its tags.") String owner,
    @JsonPropertyDescription("When it shuts itself down, if known.") Optional<Instant> expires,
    @JsonPropertyDescription("\"expired\" or \"unexpired\".") String state,
    @JsonPropertyDescription("Its price in USD per hour, if known.") OptionalDouble usdPerHour) {}
