package io.elastune.executor.simulation;

import io.elastune.executor.engine.AttemptSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records the ground truth of the training: the units trained, and which of them were reported to
 * the controller.
 */
public final class TrainingGroundTruth {
  /** The true outcome of an attempt. */
  enum AttemptOutcome {
    /** Exit 0 with a complete checkpoint. */
    COMPLETED,
    /** Exit 0, but its last checkpoint is torn. */
    TORN,
    /** The trial failed. */
    FAILED,
    /** The controller stopped it. */
    STOPPED,
    /** One of its instances ended or was unreachable. */
    INSTANCE_LOST,
    /** Its checkpoint or its controller was lost. */
    CHECKPOINT_OR_CONTROLLER_LOST
  }

  /** An attempt that completed its units, the last of which is {@code unit}. */
  private record CompletedAttempt(String attempt, int unit) {}

  private final Map<Integer, Integer> committed = new HashMap<>();
  private final Map<Integer, Integer> furthest = new HashMap<>();
  private final Map<Integer, String> running = new HashMap<>();
  private final Map<Integer, Integer> failed = new HashMap<>();
  private final Map<Integer, List<CompletedAttempt>> endedWell = new HashMap<>();
  private final Map<String, Integer> received = new HashMap<>();
  private final Map<String, Integer> repeatsUntil = new HashMap<>();
  private final Set<Integer> setBack = new HashSet<>();
  private int extraUnits;

  void attemptStarted(AttemptSpec spec) {
    int trial = spec.trial();
    int newest = Math.min(committed.getOrDefault(trial, 0), spec.to() - 1);
    if (spec.from() < newest) {
      setBack.add(trial);
    }
    // If another attempt of the trial runs at the same time, all units count as repeated.
    boolean another = running.containsKey(trial);
    repeatsUntil.put(spec.attempt(), another ? Integer.MAX_VALUE : newest);
    running.putIfAbsent(trial, spec.attempt());
  }

  void unitTrained(AttemptSpec spec, int unit) {
    furthest.merge(spec.trial(), unit, Math::max);
    if (unit <= spec.to() && unit <= repeatsUntil.getOrDefault(spec.attempt(), 0)) {
      extraUnits++;
    }
  }

  void attemptEnded(AttemptSpec spec, int unit, AttemptOutcome attemptOutcome) {
    running.remove(spec.trial(), spec.attempt());
    switch (attemptOutcome) {
      case COMPLETED ->
          endedWell
              .computeIfAbsent(spec.trial(), t -> new ArrayList<>())
              .add(new CompletedAttempt(spec.attempt(), unit));
      case TORN, FAILED, STOPPED -> failed.merge(spec.trial(), 1, Integer::sum);
      case INSTANCE_LOST, CHECKPOINT_OR_CONTROLLER_LOST -> {}
    }
  }

  /**
   * Records that the controller knows this checkpoint as the newest complete one of {@code trial}.
   */
  public void checkpointCommitted(int trial, int unit) {
    committed.put(trial, unit);
  }

  /** Records that the controller received the report of {@code attempt} for {@code unit}. */
  public void reportReceived(String attempt, int unit) {
    received.merge(attempt, unit, Math::max);
  }

  /** Returns the highest unit that {@code trial} was trained to; 0 for none. */
  public int highestUnit(int trial) {
    return furthest.getOrDefault(trial, 0);
  }

  /**
   * Returns the number of failed attempts of {@code trial} by the trial protocol: those that ended
   * with an error or were stopped, left a torn checkpoint, or whose report of the last unit did not
   * arrive. Attempts that lost their instance, checkpoint or controller do not count.
   */
  public int failedAttempts(int trial) {
    long unreported =
        endedWell.getOrDefault(trial, List.of()).stream()
            .filter(one -> received.getOrDefault(one.attempt(), 0) < one.unit())
            .count();
    return failed.getOrDefault(trial, 0) + (int) unreported;
  }

  /** Returns the highest number of failed attempts of any trial. */
  public int maxFailedAttempts() {
    Set<Integer> trials = new HashSet<>(failed.keySet());
    trials.addAll(endedWell.keySet());
    return trials.stream().mapToInt(this::failedAttempts).max().orElse(0);
  }

  /** Returns the trials with an attempt that started before their last committed checkpoint. */
  public Set<Integer> trialsSetBack() {
    return Set.copyOf(setBack);
  }

  /**
   * Returns the number of units trained again although a committed checkpoint contained them, or by
   * two attempts at the same time.
   */
  public int extraUnits() {
    return extraUnits;
  }
}
