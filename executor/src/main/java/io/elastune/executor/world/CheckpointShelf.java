package io.elastune.executor.world;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The checkpoints of all trials, by the units behind them; a torn one is there but not whole. */
final class CheckpointShelf {
  private final Chance chance;
  private final Faults faults;
  private final Mishaps mishaps;
  private final Map<Integer, NavigableMap<Integer, Boolean>> byTrial = new HashMap<>();

  CheckpointShelf(Chance chance, Faults faults, Mishaps mishaps) {
    this.chance = chance;
    this.faults = faults;
    this.mishaps = mishaps;
  }

  /**
   * Saves a checkpoint, and lets go of all but the newest {@code keep} and that of {@code from}, on
   * which the controller relies for as long as the attempt runs.
   */
  void save(int trial, int unit, int keep, int from) {
    NavigableMap<Integer, Boolean> saved = byTrial.computeIfAbsent(trial, t -> new TreeMap<>());
    boolean torn = chance.happens(faults.tornCheckpoint());
    if (torn) {
      mishaps.count(Mishap.CHECKPOINT_TORN);
    }
    saved.put(unit, !torn);
    int beyond = Math.max(1, keep) + 1; // the one before may be all there is if this one is torn
    while (saved.size() > beyond) {
      int oldest = saved.firstKey();
      int goes = oldest == from ? Objects.requireNonNull(saved.higherKey(oldest)) : oldest;
      saved.remove(goes);
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
      mishaps.count(Mishap.CHECKPOINT_LOST);
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
