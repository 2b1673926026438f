package io.elastune.executor.journal;

import java.time.Instant;

/** One fault of a trial. */
public record FaultRow(Instant at, int trial, String attempt, String message) {}
