package io.elastune.planner.search;

import io.elastune.core.billing.Billing;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TimeAndCost;

/**
 * Decides whether one label of the exact search makes another one unnecessary, for every
 * continuation.
 *
 * <p>Two labels that hold equally many instances of one offer, ready equally long after their
 * barriers, have the same continuations, only at different times. So the earlier one is as good if
 * no continuation can make its bills higher. The bills of leases in progress depend on their ages
 * through billing increments and minimums: the worst difference counts. Readiness is never traded
 * for anything, since list scheduling and the order of release are not monotone in it.
 */
final class LabelDominance {
  private final MeanValueModel model;

  LabelDominance(MeanValueModel model) {
    this.model = model;
  }

  boolean dominates(SearchLabel searchLabel, SearchLabel other, OfferChoice offerChoice) {
    HeldInstances a = searchLabel.held();
    HeldInstances b = other.held();
    double gapUsd = b.costUsd() - a.costUsd();
    if (gapUsd < -TimeAndCost.TOLERANCE && a.blocks() == 0) {
      return false;
    }
    if (!a.waitsLike(b)
        || !notLater(a, b)
        || (searchLabel.partlyReleased() && !other.partlyReleased())) {
      return false;
    }
    gapUsd -= worstUsd(a, b, offerChoice);
    if (!(gapUsd >= -TimeAndCost.TOLERANCE)) {
      return false;
    }
    boolean same = gapUsd <= TimeAndCost.TOLERANCE && notLater(b, a);
    return !same || notAfter(searchLabel, other);
  }

  /**
   * Whether the chain of {@code a} ends no later than that of {@code b}, in the mean and with
   * confidence, after any continuation that both have. The variance of the barrier weighs most if
   * the continuation has none.
   */
  private boolean notLater(HeldInstances a, HeldInstances b) {
    if (a.timeS() > b.timeS() + TimeAndCost.TOLERANCE) {
      return false;
    }
    return a.varianceS2() <= b.varianceS2()
        || model.safeS(a.timeS(), a.varianceS2())
            <= model.safeS(b.timeS(), b.varianceS2()) + TimeAndCost.TOLERANCE;
  }

  /** Of equal labels: fewest instances, then the smallest allocations. */
  private static boolean notAfter(SearchLabel searchLabel, SearchLabel other) {
    if (searchLabel.total() != other.total()) {
      return searchLabel.total() < other.total();
    }
    return compareAllocations(searchLabel, other) <= 0;
  }

  private static int compareAllocations(SearchLabel a, SearchLabel b) {
    if (a.parent() == null || b.parent() == null || a.size() == null || b.size() == null) {
      return 0;
    }
    int order = compareAllocations(a.parent(), b.parent());
    if (order == 0) {
      order = Integer.compare(a.size().offerChoice().index(), b.size().offerChoice().index());
    }
    if (order == 0) {
      order = Integer.compare(a.instances(), b.instances());
    }
    return order != 0 ? order : Integer.compare(a.size().index(), b.size().index());
  }

  /**
   * The most by which the leases of {@code a} can cost more than those of {@code b}; infinite if
   * they are not ready equally long after the barrier.
   */
  private static double worstUsd(HeldInstances a, HeldInstances b, OfferChoice offerChoice) {
    double sumUsd = 0;
    int blockA = 0;
    int blockB = 0;
    int leftA = 0;
    int leftB = 0;
    while (blockA < a.blocks() && blockB < b.blocks()) {
      leftA = leftA == 0 ? a.counts()[blockA] : leftA;
      leftB = leftB == 0 ? b.counts()[blockB] : leftB;
      double aS = Math.max(0, a.readyS()[blockA] - a.timeS());
      double bS = Math.max(0, b.readyS()[blockB] - b.timeS());
      if (Math.abs(aS - bS) > TimeAndCost.TOLERANCE) {
        return Double.POSITIVE_INFINITY;
      }
      int both = Math.min(leftA, leftB);
      sumUsd += both * worstUsd(a, blockA, b, blockB, offerChoice);
      leftA -= both;
      leftB -= both;
      blockA += leftA == 0 ? 1 : 0;
      blockB += leftB == 0 ? 1 : 0;
    }
    return sumUsd;
  }

  /** The most by which a lease of {@code a} can cost more than one of {@code b}. */
  private static double worstUsd(
      HeldInstances a, int blockA, HeldInstances b, int blockB, OfferChoice offerChoice) {
    double ageA = a.timeS() - a.runningS()[blockA];
    double ageB = b.timeS() - b.runningS()[blockB];
    double diskUsd =
        (ageA - ageB) * offerChoice.offer().diskUsdPerHour() / Billing.SECONDS_PER_HOUR;
    if (offerChoice.billedByUse()) {
      return worstS(a.usedS()[blockA], b.usedS()[blockB], offerChoice) * offerChoice.usdPerS()
          + diskUsd;
    }
    if (ageA <= 0 || ageB <= 0) {
      // Still pending: equally long, or the two are not comparable at all.
      return Math.abs(ageA - ageB) <= TimeAndCost.TOLERANCE ? 0 : Double.POSITIVE_INFINITY;
    }
    return worstS(ageA, ageB, offerChoice) * offerChoice.usdPerS() + diskUsd;
  }

  /** The largest difference of the billed seconds of x + r and y + r over all r of at least 0. */
  private static double worstS(double x, double y, OfferChoice offerChoice) {
    double granularityS = offerChoice.offer().billing().granularityS();
    double later = granularityS * Math.ceil((x - y) / granularityS - 1e-9);
    double now =
        offerChoice.offer().billing().minimumS()
            - Billing.billedSeconds(offerChoice.offer().billing(), y);
    return Math.max(later, now);
  }
}
