package io.elastune.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next events of the leases of a chain in a sample with faults. They stay the same until the
 * next of them or until a lease is added or removed, so that most steps of a sample do not visit
 * the leases.
 */
final class LeaseEvents {
  private double nextReadyS;
  private double nextBootFailureS;
  private double nextLossS;
  private @Nullable FaultyLease nextLost;
  private boolean outdated = true;
  private int version;

  /** Records that a lease was added or removed, or that its loss has another time. */
  void leasesChanged() {
    outdated = true;
  }

  boolean isOutdated(double nowS) {
    return outdated || nextReadyS <= nowS || nextBootFailureS <= nowS;
  }

  /**
   * Computes everything at {@code nowS}.
   *
   * @param used the leases in use
   * @param parked the leases that are kept without use
   */
  void update(List<FaultyLease> used, List<FaultyLease> parked, double nowS) {
    nextReadyS = FaultyLease.NEVER;
    nextBootFailureS = FaultyLease.NEVER;
    nextLossS = FaultyLease.NEVER;
    nextLost = null;
    for (int i = 0; i < used.size(); i++) { // an iterator at each event takes time
      FaultyLease lease = used.get(i);
      expect(lease);
      nextReadyS = lease.readyS > nowS ? Math.min(nextReadyS, lease.readyS) : nextReadyS;
    }
    for (FaultyLease lease : parked) {
      expect(lease);
    }
    outdated = false;
    version++;
  }

  private void expect(FaultyLease lease) {
    nextBootFailureS = Math.min(nextBootFailureS, lease.bootFailsS);
    if (lease.lossS() < nextLossS) {
      nextLossS = lease.lossS();
      nextLost = lease;
    }
  }

  /** Returns when the next instance in use is ready; infinite if there is none. */
  double nextReadyS() {
    return nextReadyS;
  }

  /** Returns when the next boot of an instance fails; infinite if none does. */
  double nextBootFailureS() {
    return nextBootFailureS;
  }

  /** Returns when the next instance is lost; infinite if none is. */
  double nextLossS() {
    return nextLossS;
  }

  /** Returns the instance that is lost next; null if none is. */
  @Nullable FaultyLease nextLost() {
    return nextLost;
  }

  /** Returns a number that is different after each update. */
  int version() {
    return version;
  }
}
