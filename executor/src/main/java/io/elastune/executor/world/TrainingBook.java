package io.elastune.executor.world;

import io.elastune.executor.engine.AttemptSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has really been trained, and what of it the controller has been told. */
public final class TrainingBook {
  /** How an attempt ended in truth. */
  enum End {
    /** Exit 0 with a whole checkpoint. */
    WELL,
    /** Exit 0, but its last checkpoint is not whole. */
    TORN,
    /** By a fault of its own. */
    FAILED,
    /** Because it was asked to. */
    ASKED,
    /** An instance under it was gone, or could not be reached. */
    CUT_OFF,
    /** Its checkpoint or its controller was gone. */
    IN_VAIN
  }

  private final Map<Integer, Integer> committed = new HashMap<>();
  private final Map<Integer, Integer> furthest = new HashMap<>();
  private final Map<Integer, String> running = new HashMap<>();
  private final Map<Integer, Integer> failed = new HashMap<>();
  private final Map<Integer, List<AttemptSpec>> endedWell = new HashMap<>();
  private final Map<String, Integer> heard = new HashMap<>();
  private final Map<String, Integer> repeatsUntil = new HashMap<>();
  private final Set<Integer> setBack = new HashSet<>();
  private int extraUnits;

  void began(AttemptSpec spec) {
    int trial = spec.trial();
    int newest = Math.min(committed.getOrDefault(trial, 0), spec.to() - 1);
    if (spec.from() < newest) {
      setBack.add(trial);
    }
    // What another attempt of the trial trains at the same time, it trains twice.
    boolean another = running.containsKey(trial);
    repeatsUntil.put(spec.attempt(), another ? Integer.MAX_VALUE : newest);
    running.putIfAbsent(trial, spec.attempt());
  }

  void trained(AttemptSpec spec, int unit) {
    furthest.merge(spec.trial(), unit, Math::max);
    if (unit <= spec.to() && unit <= repeatsUntil.getOrDefault(spec.attempt(), 0)) {
      extraUnits++;
    }
  }

  void ended(AttemptSpec spec, End end) {
    running.remove(spec.trial(), spec.attempt());
    switch (end) {
      case WELL -> endedWell.computeIfAbsent(spec.trial(), t -> new ArrayList<>()).add(spec);
      case TORN, FAILED, ASKED -> failed.merge(spec.trial(), 1, Integer::sum);
      case CUT_OFF, IN_VAIN -> {}
    }
  }

  /** The controller has been told that the newest whole checkpoint of {@code trial} is this one. */
  public void committed(int trial, int unit) {
    committed.put(trial, unit);
  }

  /** The controller has been told that {@code attempt} has trained {@code unit}. */
  public void heard(String attempt, int unit) {
    heard.merge(attempt, unit, Math::max);
  }

  /** Units that {@code trial} has been trained to; 0 for none. */
  public int furthest(int trial) {
    return furthest.getOrDefault(trial, 0);
  }

  /**
   * Attempts of {@code trial} that did not do what the trial protocol asks of them: that ended with
   * an error or had to be ended, left a torn checkpoint, or of which no report of the last unit
   * arrived. Those that lost their instance or controller are none.
   */
  public int failedAttempts(int trial) {
    long unheard =
        endedWell.getOrDefault(trial, List.of()).stream()
            .filter(spec -> heard.getOrDefault(spec.attempt(), 0) < spec.to())
            .count();
    return failed.getOrDefault(trial, 0) + (int) unheard;
  }

  /** The failed attempts of the trial with the most of them. */
  public int mostFailures() {
    Set<Integer> trials = new HashSet<>(failed.keySet());
    trials.addAll(endedWell.keySet());
    return trials.stream().mapToInt(this::failedAttempts).max().orElse(0);
  }

  /** Trials of which an attempt began before their last committed checkpoint. */
  public Set<Integer> setBack() {
    return Set.copyOf(setBack);
  }

  /** Units trained again although a committed checkpoint held them, or side by side. */
  public int extraUnits() {
    return extraUnits;
  }
}
