package io.elastune.profiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Selects the trials from which the history learns. The estimators compare all trials with each
 * other, and more trials of one run than these would say little more.
 */
final class TrialSelection {
  private static final int MOST_OF_A_SIZE = 48;

  private TrialSelection() {}

  /** Returns all attempts of at most 48 trials of each size, evenly distributed over the trials. */
  static List<AttemptTimes> of(List<AttemptTimes> attempts) {
    Map<TrialSize, Set<Integer>> trials = new TreeMap<>();
    attempts.forEach(
        one -> trials.computeIfAbsent(one.size(), size -> new TreeSet<>()).add(one.trial()));
    trials.replaceAll((size, all) -> selected(all.stream().sorted().toList()));
    return attempts.stream()
        .filter(one -> trials.getOrDefault(one.size(), Set.of()).contains(one.trial()))
        .toList();
  }

  private static Set<Integer> selected(List<Integer> trials) {
    List<Integer> selected = new ArrayList<>();
    int count = Math.min(MOST_OF_A_SIZE, trials.size());
    for (int i = 0; i < count; i++) {
      selected.add(trials.get((int) ((long) i * trials.size() / count)));
    }
    return Set.copyOf(selected);
  }
}
