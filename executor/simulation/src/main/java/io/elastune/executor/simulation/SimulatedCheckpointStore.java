package io.elastune.executor.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Simulates the checkpoint store of all trials, including torn and lost checkpoints. */
final class SimulatedCheckpointStore {
  private final RandomStream randomStream;
  private final FaultRates faultRates;
  private final FaultCounts faultCounts;
  private final Map<Integer, NavigableMap<Integer, Boolean>> byTrial = new HashMap<>();

  SimulatedCheckpointStore(
      RandomStream randomStream, FaultRates faultRates, FaultCounts faultCounts) {
    this.randomStream = randomStream;
    this.faultRates = faultRates;
    this.faultCounts = faultCounts;
  }

  /**
   * Saves a checkpoint, and deletes old ones. Keeps at least the newest {@code keep}, and those of
   * the units {@code needed}, which the controller needs while the attempt runs.
   *
   * @param statedTorn probability that it is torn, besides the fault rates
   */
  void save(int trial, int unit, int keep, Set<Integer> needed, double statedTorn) {
    NavigableMap<Integer, Boolean> saved = byTrial.computeIfAbsent(trial, t -> new TreeMap<>());
    boolean torn =
        randomStream.happens(faultRates.tornCheckpoint()) || randomStream.happens(statedTorn);
    if (torn) {
      faultCounts.count(FaultKind.CHECKPOINT_TORN);
    }
    saved.put(unit, !torn);
    // If the new checkpoint is torn, the previous one may be the only valid one.
    int limit = Math.max(1, keep) + 1;
    saved.keySet().stream()
        .filter(other -> !needed.contains(other))
        .limit(Math.max(0, saved.size() - limit))
        .toList()
        .forEach(saved::remove);
  }

  /**
   * Copies a checkpoint of another trial, unless the trial has a complete one of the same unit. A
   * missing or torn one is not copied.
   */
  void copy(int parent, int trial, int unit) {
    if (!isAvailable(trial, unit) && isAvailable(parent, unit)) {
      byTrial.computeIfAbsent(trial, t -> new TreeMap<>()).put(unit, true);
    }
  }

  /** Returns whether an attempt can resume from {@code unit}; 0 needs no checkpoint. */
  boolean isAvailable(int trial, int unit) {
    return unit == 0 || Boolean.TRUE.equals(of(trial).get(unit));
  }

  /** Draws whether the checkpoint that an attempt is about to read is lost. */
  void drawLoss(int trial, int unit) {
    if (unit > 0 && randomStream.happens(faultRates.lostCheckpoint())) {
      of(trial).remove(unit);
      faultCounts.count(FaultKind.CHECKPOINT_LOST);
    }
  }

  /** Returns the newest complete checkpoint up to {@code limit}. */
  OptionalInt newest(int trial, int limit) {
    return of(trial).headMap(limit, true).descendingMap().entrySet().stream()
        .filter(Map.Entry::getValue)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  /** Returns whether the newest checkpoint up to {@code limit} is torn. */
  boolean isNewestTorn(int trial, int limit) {
    Map.Entry<Integer, Boolean> last = of(trial).floorEntry(limit);
    return last != null && !last.getValue();
  }

  private NavigableMap<Integer, Boolean> of(int trial) {
    return byTrial.getOrDefault(trial, new TreeMap<>());
  }
}
