package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The parameters of HyperSched (docs/searches.md, "HyperSched"; SoCC 2019).
 *
 * @param targets the units at which trials are compared, ascending; the last one ends a trial
 * @param eta the reduction factor: a trial is paused below the quantile 1 − 1/eta
 * @param sizes the GPUs that a trial may have, at most those of one instance
 * @param resizeGain the least ratio of the training that a trial completes with more GPUs until the
 *     deadline
 * @param resizeAfter the least number of reports between two changes of the GPUs of a trial
 */
public record HyperSchedRule(
    List<Integer> targets,
    int eta,
    NavigableSet<Integer> sizes,
    double resizeGain,
    int resizeAfter) {
  public HyperSchedRule {
    targets = List.copyOf(targets);
    sizes = Collections.unmodifiableNavigableSet(new TreeSet<>(sizes));
    Preconditions.that(!targets.isEmpty(), "a search has at least one target");
    Preconditions.that(!sizes.isEmpty(), "a trial must be allowed at least one number of GPUs");
    Preconditions.atLeast("eta", 2, eta);
    Preconditions.positive("resize_gain", resizeGain);
    Preconditions.atLeast("resize_after", 1, resizeAfter);
  }

  /** Returns the width with which a trial starts. */
  public Width narrowest() {
    return Width.of(sizes.first());
  }

  /** Returns the units after which a trial has ended. */
  int maxUnit() {
    return targets.get(targets.size() - 1);
  }

  /**
   * Whether a new or paused trial starts: there is time for another trial to be compared, or for a
   * full training.
   *
   * @param leftS seconds to the deadline
   * @param longestS the longest training time of any trial so far
   * @param unitS seconds per unit on the smallest number of GPUs
   */
  public boolean admits(double leftS, double longestS, double unitS) {
    return leftS >= Math.min(longestS * eta, maxUnit() * unitS);
  }

  /**
   * Returns the loss above which a trial is paused: the linearly interpolated quantile 1/eta of the
   * losses in a rung; positive infinity for fewer than two.
   */
  double cutOff(List<Double> losses) {
    double[] sorted = losses.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return cutOff(sorted, sorted.length);
  }

  /**
   * Returns the same for sorted losses.
   *
   * @param count how many there are
   */
  public double cutOff(double[] sorted, int count) {
    if (count < 2) {
      return Double.POSITIVE_INFINITY;
    }
    double rank = (count - 1.0) / eta;
    int below = (int) rank;
    double share = rank - below;
    double low = sorted[below];
    return share == 0 ? low : low + share * (sorted[below + 1] - low);
  }

  /** Returns the GPUs of each of {@code trials} trials, the best one first. */
  static List<Integer> shares(int gpus, int trials) {
    return IntStream.range(0, trials)
        .mapToObj(i -> gpus / trials + (i < gpus % trials ? 1 : 0))
        .toList();
  }

  /**
   * Whether a trial grows.
   *
   * @param speedUp the throughput with more GPUs relative to the present one
   * @param leftS seconds to the deadline
   * @param startupS seconds that the change costs
   */
  public boolean grows(double speedUp, double leftS, double startupS) {
    return speedUp * (leftS - startupS) / leftS > resizeGain;
  }
}
