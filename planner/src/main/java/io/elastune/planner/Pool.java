package io.elastune.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * The plans of one chain that are worth remembering: the Pareto set of all that were tried. Where
 * chains share instances, one such set for each number of instances held at the peak.
 */
final class Pool {
  private final TreeMap<Integer, Front<Draft>> byPeak = new TreeMap<>();
  private final boolean shared;

  /**
   * @param shared whether other chains need instances at the same time
   */
  Pool(boolean shared) {
    this.shared = shared;
  }

  private Front<Draft> front(int peak) {
    return byPeak.computeIfAbsent(shared ? peak : 0, key -> new Front<>(Draft.SMALLER));
  }

  void add(Draft draft) {
    front(draft.peak()).add(draft);
  }

  /** Whether a plan may be worth remembering. */
  boolean wants(double completionS, double costUsd) {
    return shared || front(0).wants(completionS, costUsd);
  }

  /** Remembers a plan just scored, if it is worth it. */
  void offer(Size[] sizes, int[] instances, Scorer scorer) {
    int peak = 0;
    for (int count : instances) {
      peak = Math.max(peak, count);
    }
    Front<Draft> front = front(peak);
    if (front.wants(scorer.completionS(), scorer.costUsd())) {
      front.add(scorer.draft(sizes, instances));
    }
  }

  /** The cheapest that takes at most {@code deadlineS} and holds at most {@code cap} at once. */
  Optional<Draft> cheapestBy(double deadlineS, int cap) {
    return fronts(cap).stream()
        .flatMap(front -> front.cheapestBy(deadlineS).stream())
        .min(Chooser::cheaper);
  }

  /** The fastest that holds at most {@code cap} at once. */
  Optional<Draft> fastest(int cap) {
    return fronts(cap).stream().flatMap(front -> front.fastest().stream()).min(Chooser::faster);
  }

  /** The Pareto set whatever the peak. */
  Front<Draft> all() {
    return upTo(Integer.MAX_VALUE);
  }

  /** The Pareto set of those that hold at most {@code cap} at once. */
  Front<Draft> upTo(int cap) {
    Front<Draft> all = new Front<>(Draft.SMALLER);
    fronts(cap).forEach(front -> all.addAll(front.items()));
    return all;
  }

  /** Seconds of all that is remembered. */
  DoubleStream completionsS() {
    return fronts(Integer.MAX_VALUE).stream()
        .flatMapToDouble(front -> front.items().stream().mapToDouble(Draft::completionS));
  }

  private List<Front<Draft>> fronts(int cap) {
    return new ArrayList<>(byPeak.headMap(shared ? cap : 0, true).values());
  }
}
