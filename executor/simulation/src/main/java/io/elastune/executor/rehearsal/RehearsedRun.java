package io.elastune.executor.rehearsal;

import io.elastune.executor.simulation.FaultKind;
import java.util.List;
import java.util.Map;

/**
 * The result of one rehearsed run.
 *
 * @param seed the seed that reproduces the run
 * @param exit its exit code
 * @param completionS seconds until the end of the last group; NaN if it was not reached
 * @param costUsd what the simulated cloud charged, in USD
 * @param events number of events that the core processed
 * @param violations the violated invariants; empty normally
 * @param faultCounts number of injected faults by kind
 */
public record RehearsedRun(
    long seed,
    int exit,
    double completionS,
    double costUsd,
    long events,
    List<InvariantViolation> violations,
    Map<FaultKind, Integer> faultCounts) {
  public RehearsedRun {
    violations = List.copyOf(violations);
    faultCounts = Map.copyOf(faultCounts);
  }
}
