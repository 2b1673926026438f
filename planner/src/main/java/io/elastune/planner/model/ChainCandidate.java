package io.elastune.planner.model;

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
 *     that confidence ({@link MeanValueModel#safeS})
 * @param meanS mean seconds to the end of the last group
 * @param costUsd mean dollars
 */
public record ChainCandidate(
    List<TrialShape> sizes,
    List<Integer> instances,
    double completionS,
    double meanS,
    double costUsd)
    implements TimeAndCost {
  /** The order of plans with equal cost and time (docs/model.md, "What is optimized"). */
  public static final Comparator<ChainCandidate> BY_ALLOCATIONS =
      Comparator.comparingInt(ChainCandidate::total).thenComparing(ChainCandidate::compareGroups);

  public static ChainCandidate of(
      TrialShape[] trialShapes, int[] instances, double completionS, double meanS, double costUsd) {
    return new ChainCandidate(
        List.of(trialShapes),
        IntStream.of(instances).boxed().toList(),
        completionS,
        meanS,
        costUsd);
  }

  /** Instances summed over groups. */
  private int total() {
    return instances.stream().mapToInt(Integer::intValue).sum();
  }

  private int compareGroups(ChainCandidate other) {
    int order = 0;
    for (int group = 0; group < sizes.size() && order == 0; group++) {
      order = compareGroup(group, other);
    }
    return order;
  }

  private int compareGroup(int group, ChainCandidate other) {
    TrialShape trialShape = sizes.get(group);
    TrialShape otherSize = other.sizes.get(group);
    int order = Integer.compare(trialShape.offerChoice().index(), otherSize.offerChoice().index());
    if (order == 0) {
      order = Integer.compare(instances.get(group), other.instances.get(group));
    }
    return order != 0 ? order : Integer.compare(trialShape.index(), otherSize.index());
  }

  /** The most instances held at once. */
  public int peak() {
    return instances.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** The most of a quantity held at once, given its amount per instance. */
  public double peak(ToDoubleFunction<Offer> quantity) {
    double peak = 0;
    for (int group = 0; group < sizes.size(); group++) {
      double each = quantity.applyAsDouble(sizes.get(group).offerChoice().offer());
      peak = Math.max(peak, each * instances.get(group));
    }
    return peak;
  }

  public TrialShape[] sizeArray() {
    return sizes.toArray(TrialShape[]::new);
  }

  public int[] instanceArray() {
    return instances.stream().mapToInt(Integer::intValue).toArray();
  }
}
