package io.elastune.planner;

import io.elastune.core.billing.Billing;

/**
 * When a label of the exact search makes another needless, whatever comes after.
 *
 * <p>Two labels that hold equally many instances of one rental, ready equally long after their
 * barriers, go through the same future, only later or sooner. So the earlier one is as good if no
 * future can make its bills higher. The bills of leases under way depend on their ages through
 * granules and minimum: the worst difference is taken. Readiness is not traded for anything, as
 * list scheduling and the order of release are not monotone in it.
 */
final class Dominance {
  private Dominance() {}

  static boolean holds(Exact.Label label, Exact.Label other, Rental rental) {
    Held a = label.held();
    Held b = other.held();
    if (a.timeS() > b.timeS() + Timed.SAME || (label.shrunk() && !other.shrunk())) {
      return false;
    }
    double gapUsd = b.costUsd() - a.costUsd();
    for (int i = 0; i < a.count(); i++) {
      gapUsd -= worstUsd(a, b, i, rental);
    }
    if (gapUsd < -Timed.SAME || !equallyReady(a, b)) {
      return false;
    }
    boolean same = gapUsd <= Timed.SAME && a.timeS() >= b.timeS() - Timed.SAME;
    return !same || notAfter(label, other);
  }

  /** Of labels that are the same: fewest instances, then the smallest allocations. */
  private static boolean notAfter(Exact.Label label, Exact.Label other) {
    if (label.total() != other.total()) {
      return label.total() < other.total();
    }
    return compareAllocations(label, other) <= 0;
  }

  private static int compareAllocations(Exact.Label a, Exact.Label b) {
    if (a.parent() == null || b.parent() == null || a.size() == null || b.size() == null) {
      return 0;
    }
    int order = compareAllocations(a.parent(), b.parent());
    if (order == 0) {
      order = Integer.compare(a.size().rental().index(), b.size().rental().index());
    }
    if (order == 0) {
      order = Integer.compare(a.instances(), b.instances());
    }
    return order != 0 ? order : Integer.compare(a.size().index(), b.size().index());
  }

  private static boolean equallyReady(Held a, Held b) {
    for (int i = 0; i < a.count(); i++) {
      double aS = Math.max(0, a.readyS()[i] - a.timeS());
      double bS = Math.max(0, b.readyS()[i] - b.timeS());
      if (Math.abs(aS - bS) > Timed.SAME) {
        return false;
      }
    }
    return true;
  }

  /**
   * The most by which lease {@code i} of {@code a} can come to cost more than that of {@code b}.
   */
  private static double worstUsd(Held a, Held b, int i, Rental rental) {
    double ageA = a.timeS() - a.runningS()[i];
    double ageB = b.timeS() - b.runningS()[i];
    double diskUsd = (ageA - ageB) * rental.offer().diskUsdPerHour() / Billing.SECONDS_PER_HOUR;
    if (rental.billedByUse()) {
      return worstS(a.usedS()[i], b.usedS()[i], rental) * rental.usdPerS() + diskUsd;
    }
    if (ageA <= 0 || ageB <= 0) {
      // Still pending: equally long, or the two are not comparable at all.
      return Math.abs(ageA - ageB) <= Timed.SAME ? 0 : Double.POSITIVE_INFINITY;
    }
    return worstS(ageA, ageB, rental) * rental.usdPerS() + diskUsd;
  }

  /** The greatest difference of billed seconds of x + r and y + r over all r of at least 0. */
  private static double worstS(double x, double y, Rental rental) {
    double granularityS = rental.offer().billing().granularityS();
    double later = granularityS * Math.ceil((x - y) / granularityS - 1e-9);
    double now =
        rental.offer().billing().minimumS() - Billing.billedSeconds(rental.offer().billing(), y);
    return Math.max(later, now);
  }
}
