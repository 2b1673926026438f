package io.elastune.planner;

import io.elastune.core.offer.Offer;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A plan for one chain, with its time and cost in the mean-value model.
 *
 * @param sizes by group
 * @param instances by group
 * @param completionS seconds that limits and frontiers count: the mean time to the end of the last
 *     group or, if a deadline must be met with confidence, about the time within which it ends with
 *     that confidence ({@link ChainModel#safeS})
 * @param meanS mean seconds to the end of the last group
 * @param costUsd mean dollars
 */
record Draft(
    List<Size> sizes, List<Integer> instances, double completionS, double meanS, double costUsd)
    implements Timed {
  /** The order of plans with equal cost and time (docs/model.md, "What is optimized"). */
  static final Comparator<Draft> SMALLER =
      Comparator.comparingInt(Draft::total).thenComparing(Draft::compareGroups);

  static Draft of(Size[] sizes, int[] instances, double completionS, double meanS, double costUsd) {
    return new Draft(
        List.of(sizes), IntStream.of(instances).boxed().toList(), completionS, meanS, costUsd);
  }

  /** Instances summed over groups. */
  private int total() {
    return instances.stream().mapToInt(Integer::intValue).sum();
  }

  private int compareGroups(Draft other) {
    int order = 0;
    for (int group = 0; group < sizes.size() && order == 0; group++) {
      order = compareGroup(group, other);
    }
    return order;
  }

  private int compareGroup(int group, Draft other) {
    Size size = sizes.get(group);
    Size otherSize = other.sizes.get(group);
    int order = Integer.compare(size.rental().index(), otherSize.rental().index());
    if (order == 0) {
      order = Integer.compare(instances.get(group), other.instances.get(group));
    }
    return order != 0 ? order : Integer.compare(size.index(), otherSize.index());
  }

  /** The most instances held at once. */
  int peak() {
    return instances.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** The most of a quantity held at once, given its amount per instance. */
  double peak(ToDoubleFunction<Offer> quantity) {
    double peak = 0;
    for (int group = 0; group < sizes.size(); group++) {
      double each = quantity.applyAsDouble(sizes.get(group).rental().offer());
      peak = Math.max(peak, each * instances.get(group));
    }
    return peak;
  }

  Size[] sizeArray() {
    return sizes.toArray(Size[]::new);
  }

  int[] instanceArray() {
    return instances.stream().mapToInt(Integer::intValue).toArray();
  }
}
