package io.elastune.cli.inspect;

import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The GPUs of the attempts of a run whose instances a policy divides among its trials. */
public final class AttemptWidths {
  private final Map<String, String> byAttempt = new HashMap<>();
  private final Map<Integer, List<String>> byTrial = new TreeMap<>();

  /**
   * Creates them; without a policy that divides instances, there are none.
   *
   * @param attempts in the order of their starts
   */
  public AttemptWidths(RunRecord run, List<AttemptRow> attempts) {
    if (!run.isDivided()) {
      return;
    }
    Map<GpuSlot, List<AttemptRow>> bySlot = new HashMap<>();
    for (AttemptRow attempt : attempts) {
      for (GpuSlot place : attempt.places()) {
        bySlot.computeIfAbsent(place, none -> new ArrayList<>()).add(attempt);
      }
    }
    for (AttemptRow attempt : attempts) {
      int sharing = mostAtOnce(attempt, bySlot.getOrDefault(attempt.places().get(0), List.of()));
      String width = new TrialWidth(attempt.trial(), attempt.places().size(), sharing).width();
      byAttempt.put(attempt.attempt(), width);
      List<String> widths = byTrial.computeIfAbsent(attempt.trial(), none -> new ArrayList<>());
      if (widths.isEmpty() || !widths.get(widths.size() - 1).equals(width)) {
        widths.add(width);
      }
    }
  }

  /** Returns how many attempts run on a GPU at once while {@code attempt} does, with itself. */
  private static int mostAtOnce(AttemptRow attempt, List<AttemptRow> onSameGpu) {
    return onSameGpu.stream()
        .map(AttemptRow::started)
        .filter(at -> isActive(attempt, at))
        .mapToInt(at -> (int) onSameGpu.stream().filter(one -> isActive(one, at)).count())
        .max()
        .orElse(1);
  }

  private static boolean isActive(AttemptRow attempt, Instant at) {
    return !at.isBefore(attempt.started())
        && attempt.ended().map(end -> at.isBefore(end)).orElse(true);
  }

  /** Whether no policy divides the instances, or no attempt has started. */
  public boolean isEmpty() {
    return byAttempt.isEmpty();
  }

  /** Returns the GPUs of an attempt, for example {@code 3} or {@code 1/2}. */
  public Optional<String> of(AttemptRow attempt) {
    return Optional.ofNullable(byAttempt.get(attempt.attempt()));
  }

  /** Returns the GPUs of a trial in the order of its attempts, for example {@code 1/2 → 1 → 3}. */
  public Optional<String> ofTrial(int trial) {
    return Optional.ofNullable(byTrial.get(trial)).map(widths -> String.join(" → ", widths));
  }
}
