package io.elastune.executor.journal;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** One trial group: its allocation, prediction and result. */
public record GroupRow(
    String name,
    int trials,
    int fromUnit,
    int toUnit,
    String offer,
    int instances,
    int gpusPerTrial,
    int trialsPerGpu,
    OptionalDouble predictedS,
    OptionalDouble predictedUsd,
    Optional<Instant> started,
    Optional<Instant> ended,
    double usd) {}
