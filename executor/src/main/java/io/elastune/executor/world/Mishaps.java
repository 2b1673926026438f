package io.elastune.executor.world;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** How often what has gone wrong. Not for several threads. */
public final class Mishaps {
  private final Map<Mishap, Integer> counts = new EnumMap<>(Mishap.class);

  /** One more. */
  public void count(Mishap mishap) {
    counts.merge(mishap, 1, Integer::sum);
  }

  /** Those that have happened. */
  public Map<Mishap, Integer> counts() {
    return Collections.unmodifiableMap(counts.isEmpty() ? Map.of() : new EnumMap<>(counts));
  }
}
