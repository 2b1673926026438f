package io.elastune.planner;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * The plans of one chain that are worth remembering: the Pareto set of all that were tried. Where
 * chains share instances, one such set for each number of instances held at the peak; where they
 * share dollars per hour or quotas, too, one for each of those on one rental alone as well.
 */
final class Pool {
  /** Plans on several rentals, and all where it does not matter on which they are. */
  private static final int MIXED = -1;

  private final TreeMap<Long, Front<Draft>> byKind = new TreeMap<>();
  private final Shared shared;
  private final Front<Draft> any = new Front<>(Draft.SMALLER);

  /** What other chains need at the same time. */
  enum Shared {
    NOTHING,
    INSTANCES,
    /** Instances, and what these cost by the hour or use up of quotas, offer by offer. */
    OFFERS
  }

  Pool(Shared shared) {
    this.shared = shared;
  }

  private Front<Draft> front(int peak, int rental) {
    return shared == Shared.NOTHING
        ? any
        : byKind.computeIfAbsent(kind(peak, rental), key -> new Front<>(Draft.SMALLER));
  }

  /** In the order of peaks. */
  private static long kind(int peak, int rental) {
    return ((long) peak << Integer.SIZE) + rental - MIXED;
  }

  void add(Draft draft) {
    front(draft.peak(), rental(draft.sizeArray())).add(draft);
  }

  /** The only rental of a plan, where that matters. */
  private int rental(Size[] sizes) {
    if (shared != Shared.OFFERS) {
      return MIXED;
    }
    int only = sizes[0].rental().index();
    for (Size size : sizes) {
      only = size.rental().index() == only ? only : MIXED;
    }
    return only;
  }

  /** Whether a plan may be worth remembering. */
  boolean wants(double completionS, double costUsd) {
    return shared != Shared.NOTHING || any.wants(completionS, costUsd);
  }

  /** Remembers a plan just scored, if it is worth it. */
  void offer(Size[] sizes, int[] instances, Scorer scorer) {
    int peak = 0;
    for (int count : instances) {
      peak = Math.max(peak, count);
    }
    Front<Draft> front = front(peak, rental(sizes));
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

  /**
   * Of those that take at most {@code deadlineS} and hold at most {@code cap} at once the cheapest
   * of every kind that other chains feel differently.
   */
  List<Draft> kinds(double deadlineS, int cap) {
    return fronts(cap).stream().flatMap(front -> front.cheapestBy(deadlineS).stream()).toList();
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
    return shared == Shared.NOTHING
        ? List.of(any)
        : List.copyOf(byKind.headMap(kind(cap, Integer.MAX_VALUE), true).values());
  }
}
