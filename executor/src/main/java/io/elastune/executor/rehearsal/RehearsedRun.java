package io.elastune.executor.rehearsal;

import io.elastune.executor.world.Mishap;
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
 * @param broken the violated invariants; empty normally
 * @param mishaps number of injected faults by kind
 */
public record RehearsedRun(
    long seed,
    int exit,
    double completionS,
    double costUsd,
    long events,
    List<Broken> broken,
    Map<Mishap, Integer> mishaps) {
  public RehearsedRun {
    broken = List.copyOf(broken);
    mishaps = Map.copyOf(mishaps);
  }
}
