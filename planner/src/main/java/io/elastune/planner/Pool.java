package io.elastune.planner;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Stores the Pareto-optimal plans of one chain. Where chains share instances, it has one Pareto set
 * for each number of instances held at the peak; where they also share dollars per hour or quotas,
 * a further one for the plans on each rental alone.
 */
final class Pool {
  /** Marks plans on several rentals, and all plans where their rentals do not matter. */
  private static final int MIXED = -1;

  private final TreeMap<Long, Front<Draft>> byKind = new TreeMap<>();
  private final Shared shared;
  private final Front<Draft> any = new Front<>(Draft.SMALLER);

  /** What chains share with each other. */
  enum Shared {
    NOTHING,
    INSTANCES,
    /** Instances, and their hourly cost or use of quotas, by offer. */
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

  /** Key of a Pareto set; keys are in the order of peaks. */
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

  /** Whether a plan may belong to the Pareto set. */
  boolean wants(double completionS, double costUsd) {
    return shared != Shared.NOTHING || any.wants(completionS, costUsd);
  }

  /** Stores the plan just scored, if it belongs to a Pareto set. */
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

  /**
   * Returns the cheapest plan that takes at most {@code deadlineS} and holds at most {@code cap}
   * instances at once.
   */
  Optional<Draft> cheapestBy(double deadlineS, int cap) {
    return fronts(cap).stream()
        .flatMap(front -> front.cheapestBy(deadlineS).stream())
        .min(Chooser::cheaper);
  }

  /**
   * Returns the cheapest plan of each Pareto set, within {@code deadlineS} and at most {@code cap}
   * instances at once.
   */
  List<Draft> kinds(double deadlineS, int cap) {
    return fronts(cap).stream().flatMap(front -> front.cheapestBy(deadlineS).stream()).toList();
  }

  /** Returns the Pareto set of all plans. */
  Front<Draft> all() {
    return upTo(Integer.MAX_VALUE);
  }

  /** Returns the Pareto set of the plans that hold at most {@code cap} instances at once. */
  Front<Draft> upTo(int cap) {
    Front<Draft> all = new Front<>(Draft.SMALLER);
    fronts(cap).forEach(front -> all.addAll(front.items()));
    return all;
  }

  /** Returns the completion times of all stored plans. */
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
