package io.elastune.executor.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts the injected faults by kind. Not thread-safe. */
public final class FaultCounts {
  private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);

  /** Counts one fault. */
  public void count(FaultKind faultKind) {
    counts.merge(faultKind, 1, Integer::sum);
  }

  /** Returns the counts of all faults that occurred. */
  public Map<FaultKind, Integer> counts() {
    return Collections.unmodifiableMap(counts.isEmpty() ? Map.of() : new EnumMap<>(counts));
  }
}
