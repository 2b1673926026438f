package io.elastune.executor.rehearsal;

import io.elastune.executor.world.Mishap;
import java.util.List;
import java.util.Map;

/**
 * One rehearsed run.
 *
 * @param seed from which all of it follows
 * @param exit its exit code
 * @param completionS seconds to the end of the last group; NaN if it never came to that
 * @param costUsd what the world charged for it
 * @param events events that the core decided
 * @param broken the promises that it broke; empty if it went as it should
 * @param mishaps what went wrong in its world, and how often
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
