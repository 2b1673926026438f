package io.elastune.executor.journal;

import java.time.Instant;
import java.util.Map;

/** One report of a trial. */
public record ReportRow(
    String attempt, int trial, int unit, Instant at, Map<String, Double> metrics) {}
