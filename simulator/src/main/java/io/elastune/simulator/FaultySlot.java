package io.elastune.simulator;

import java.util.List;
import java.util.stream.Stream;

/** A slot of a team in a sample with faults. */
final class FaultySlot {
  /** The lowest number of its instances. */
  final int lowestNumber;

  /** The factor of its slowest instance. */
  final double slowness;

  private final FaultyLease[] members;

  /** Since when it is free for the next trial. */
  double freeS;

  /** Whether an attempt runs on it. */
  boolean isBusy;

  FaultySlot(List<FaultyLease> team, double freeS) {
    this.members = team.toArray(FaultyLease[]::new);
    this.freeS = freeS;
    int lowest = Integer.MAX_VALUE;
    double slowest = 0;
    for (FaultyLease member : members) {
      lowest = Math.min(lowest, member.number);
      slowest = Math.max(slowest, member.slowness);
    }
    lowestNumber = lowest;
    slowness = slowest;
  }

  /** Returns whether a trial can start on it. */
  boolean isUsable() {
    if (isBusy) {
      return false;
    }
    for (FaultyLease member : members) {
      if (member.isReleased) {
        return false;
      }
    }
    return true;
  }

  boolean uses(FaultyLease lease) {
    for (FaultyLease member : members) {
      if (member == lease) {
        return true;
      }
    }
    return false;
  }

  /** Returns the numbers of its instances. */
  int[] numbers() {
    return Stream.of(members).mapToInt(member -> member.number).toArray();
  }

  /** Returns whether the numbers of all its instances are below {@code number}. */
  boolean isBelow(int number) {
    return Stream.of(members).allMatch(member -> member.number < number);
  }

  /** Frees its instances for other teams. */
  void dissolve() {
    for (FaultyLease member : members) {
      member.inTeam = false;
    }
  }

  /** Records the start of an attempt; returns how many instances are in use only now. */
  int attemptStarted(double nowS) {
    isBusy = true;
    int busier = 0;
    for (FaultyLease member : members) {
      busier += member.attempts == 0 ? 1 : 0;
      member.attemptStarted(nowS);
    }
    return busier;
  }

  /** Records the end of its attempt; returns how many instances are in use no more. */
  int attemptEnded(double startedS, double nowS, double share) {
    isBusy = false;
    freeS = nowS;
    int idler = 0;
    for (FaultyLease member : members) {
      member.attemptEnded(startedS, nowS, share);
      idler += member.attempts == 0 ? 1 : 0;
    }
    return idler;
  }
}
