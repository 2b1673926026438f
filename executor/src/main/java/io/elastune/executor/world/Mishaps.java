package io.elastune.executor.world;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts the injected faults by kind. Not thread-safe. */
public final class Mishaps {
  private final Map<Mishap, Integer> counts = new EnumMap<>(Mishap.class);

  /** Counts one fault. */
  public void count(Mishap mishap) {
    counts.merge(mishap, 1, Integer::sum);
  }

  /** Returns the counts of all faults that occurred. */
  public Map<Mishap, Integer> counts() {
    return Collections.unmodifiableMap(counts.isEmpty() ? Map.of() : new EnumMap<>(counts));
  }
}
