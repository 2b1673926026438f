package io.elastune.executor.world;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The checkpoints of all trials, by the units behind them; a torn one is there but not whole. */
final class CheckpointShelf {
  private final Chance chance;
  private final Faults faults;
  private final Map<Integer, NavigableMap<Integer, Boolean>> byTrial = new HashMap<>();

  CheckpointShelf(Chance chance, Faults faults) {
    this.chance = chance;
    this.faults = faults;
  }

  /** Saves a checkpoint, and lets go of all but the newest {@code keep}. */
  void save(int trial, int unit, int keep) {
    NavigableMap<Integer, Boolean> saved = byTrial.computeIfAbsent(trial, t -> new TreeMap<>());
    saved.put(unit, !chance.happens(faults.tornCheckpoint()));
    int beyond = Math.max(1, keep) + 1; // the one before may be all there is if this one is torn
    while (saved.size() > beyond) {
      saved.pollFirstEntry();
    }
  }

  /** Whether an attempt can go on from {@code unit}; 0 needs no checkpoint. */
  boolean has(int trial, int unit) {
    return unit == 0 || Boolean.TRUE.equals(of(trial).get(unit));
  }

  /** An attempt is about to read its checkpoint: it may turn out to be gone. */
  void wanted(int trial, int unit) {
    if (unit > 0 && chance.happens(faults.lostCheckpoint())) {
      of(trial).remove(unit);
    }
  }

  /** The newest whole checkpoint up to {@code limit}. */
  OptionalInt newest(int trial, int limit) {
    return of(trial).headMap(limit, true).descendingMap().entrySet().stream()
        .filter(Map.Entry::getValue)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether there is a newer one than {@link #newest}, which is torn. */
  boolean torn(int trial, int limit) {
    Map.Entry<Integer, Boolean> last = of(trial).floorEntry(limit);
    return last != null && !last.getValue();
  }

  private NavigableMap<Integer, Boolean> of(int trial) {
    return byTrial.getOrDefault(trial, new TreeMap<>());
  }
}
