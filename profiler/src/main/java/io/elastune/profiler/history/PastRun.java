package io.elastune.profiler.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one finished run adds to the history.
 *
 * @param job the name of its job
 * @param kind TUNE, or PROFILE for a profiling run
 * @param simulated whether it was executed in virtual time
 * @param ended when it ended
 * @param code SHA-256 of its code; empty for a simulated run
 * @param prediction empty for a profiling run
 */
public record PastRun(
    String run,
    String job,
    String kind,
    boolean simulated,
    Instant ended,
    int exitCode,
    Optional<String> code,
    Optional<PastPrediction> prediction,
    List<ProgramEvidence> evidence,
    List<PastLease> leases,
    List<AttemptCounts> attempts) {
  public PastRun {
    evidence = List.copyOf(evidence);
    leases = List.copyOf(leases);
    attempts = List.copyOf(attempts);
  }
}
