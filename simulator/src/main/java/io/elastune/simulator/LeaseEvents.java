package io.elastune.simulator;

import java.util.List;

/**
 * The hazards and the next events of the leases of a chain in a sample with faults. They stay the
 * same until the next of these events or until a lease is added or removed, so that most steps of a
 * sample do not visit the leases.
 */
final class LeaseEvents {
  private double hazardPerS;
  private double nextRunningS;
  private double nextReadyS;
  private double nextBootFailureS;
  private boolean outdated = true;
  private int version;

  /** Records that a lease was added or removed. */
  void leasesChanged() {
    outdated = true;
  }

  boolean isOutdated(double nowS) {
    return outdated || nextRunningS <= nowS || nextReadyS <= nowS || nextBootFailureS <= nowS;
  }

  /**
   * Computes everything at {@code nowS}.
   *
   * @param used the leases in use
   * @param hazardous the leases whose hazards count once they are running, in order of their sum
   * @param parked the leases that are kept without use
   */
  void update(
      List<FaultyLease> used, List<FaultyLease> hazardous, List<FaultyLease> parked, double nowS) {
    hazardPerS = 0;
    nextRunningS = FaultyLease.NEVER;
    nextReadyS = FaultyLease.NEVER;
    nextBootFailureS = FaultyLease.NEVER;
    for (int i = 0; i < hazardous.size(); i++) { // iterators at each event take time
      FaultyLease lease = hazardous.get(i);
      if (lease.runningS <= nowS) {
        hazardPerS += lease.hazards.instancePerS();
      }
    }
    for (int i = 0; i < used.size(); i++) {
      FaultyLease lease = used.get(i);
      runsLater(lease, nowS);
      nextReadyS = lease.readyS > nowS ? Math.min(nextReadyS, lease.readyS) : nextReadyS;
    }
    for (FaultyLease lease : parked) {
      runsLater(lease, nowS);
    }
    outdated = false;
    version++;
  }

  private void runsLater(FaultyLease lease, double nowS) {
    nextRunningS = lease.runningS > nowS ? Math.min(nextRunningS, lease.runningS) : nextRunningS;
    nextBootFailureS = Math.min(nextBootFailureS, lease.bootFailsS);
  }

  /** Returns the sum of the hazards of all running instances, per second. */
  double hazardPerS() {
    return hazardPerS;
  }

  /** Returns when the next instance is running; infinite if there is none. */
  double nextRunningS() {
    return nextRunningS;
  }

  /** Returns when the next instance in use is ready; infinite if there is none. */
  double nextReadyS() {
    return nextReadyS;
  }

  /** Returns when the next boot of an instance fails; infinite if none does. */
  double nextBootFailureS() {
    return nextBootFailureS;
  }

  /** Returns a number that is different after each update. */
  int version() {
    return version;
  }
}
