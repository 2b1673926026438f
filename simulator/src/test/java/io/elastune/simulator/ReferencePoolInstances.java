package io.elastune.simulator;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The instances of one pool in one sample with faults, as docs/model.md ("Faults") states them, for
 * references that look at all of them at every event.
 */
abstract class ReferencePoolInstances {
  static final double NEVER = Double.POSITIVE_INFINITY;
  private static final String GROUP = "pool";

  final Problem problem;
  final Offer offer;
  final Profile profile;
  final ReferenceSimulator.RandomNumbers random;
  final ReferenceFaults.FaultNumbers numbers;
  final List<ReferenceLease> held = new ArrayList<>();
  final List<ReferenceLease> ready = new ArrayList<>();
  final ReferenceFaults.Count count = new ReferenceFaults.Count();
  double now;

  private final Chain pool;
  private final List<ReferenceLease> all = new ArrayList<>();

  ReferencePoolInstances(
      Problem problem, Offer offer, Chain pool, ReferenceSimulator.RandomNumbers random) {
    this.problem = problem;
    this.offer = offer;
    this.pool = pool;
    this.random = random;
    profile = problem.profiles().get(offer.gpu());
    numbers = random.faults(pool);
  }

  /** Interrupts the attempts on an instance that is lost. */
  abstract void interruptOn(ReferenceLease lost, boolean preempted);

  /** Returns how many instances are held at least after a loss. */
  abstract int replaced();

  /** Requests the planned instances. */
  void request(int instances) {
    for (int number = 0; number < instances; number++) {
      double[] drawn = {
        random.queueS(pool, offer, number),
        random.bootS(pool, offer, number),
        random.y(pool, profile, number)
      };
      List<double[]> more = numbers.afterFailedBoots(pool, offer, number);
      add(number, drawn, more, numbers.lossHazard(number));
    }
  }

  double costUsd() {
    return all.stream().mapToDouble(ReferenceLease::totalUsd).sum()
        + now * problem.running().controllerUsdPerHour() / 3600
        + now * problem.running().storageUsdPerHour() / 3600;
  }

  private void add(int number, double[] queueBootY, List<double[]> more, double hazard) {
    ReferenceLease lease =
        ReferenceFaults.request(pool, offer, GROUP, number, now, queueBootY, more);
    lease.hazard = hazard;
    held.add(lease);
    all.add(lease);
  }

  void end(ReferenceLease lease) {
    held.remove(lease);
    lease.releasedS = now;
  }

  /** Records that an attempt ran on an instance until now. */
  void train(ReferenceLease lease, double fromS, double gpus) {
    lease.train(GROUP, fromS, now, gpus / offer.gpus());
  }

  /** Lets other instances take the places of those whose boots have failed. */
  void replaceFailedBoots() {
    while (held.stream()
        .anyMatch(lease -> lease.failsAtReady() && nanos(lease.readyS) <= nanos(now))) {
      held.replaceAll(this::afterFailedBoot);
    }
  }

  private ReferenceLease afterFailedBoot(ReferenceLease lost) {
    if (!lost.failsAtReady() || nanos(lost.readyS) > nanos(now)) {
      return lost;
    }
    lost.releasedS = lost.readyS; // a policy rounds the present time
    double[] drawn = lost.afterFailedBoots.get(0);
    List<double[]> more = lost.afterFailedBoots.subList(1, lost.afterFailedBoots.size());
    double[] queueBootY = {drawn[0], drawn[1], lost.y};
    ReferenceLease next =
        ReferenceFaults.request(pool, offer, GROUP, lost.number, lost.readyS, queueBootY, more);
    next.hazard = lost.hazard;
    next.faults = lost.faults;
    all.add(next);
    return next;
  }

  static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  /** Returns when the next boot fails. */
  double nextFailureS() {
    return held.stream()
        .filter(ReferenceLease::failsAtReady)
        .mapToDouble(lease -> lease.readyS)
        .min()
        .orElse(NEVER);
  }

  /** Returns the instance that becomes ready next; null if none does. */
  ReferenceLease arriving() {
    ReferenceLease arriving = null;
    for (ReferenceLease lease : held) {
      boolean arrives = !lease.failsAtReady() && !ready.contains(lease);
      if (arrives && (arriving == null || nanos(lease.readyS) < nanos(arriving.readyS))) {
        arriving = lease;
      }
    }
    return arriving;
  }

  double instancePerS() {
    InstanceFaultRates rates = offer.faults();
    return (rates.failures().value() + rates.preemptions().value()) / 3600;
  }

  double trialPerS() {
    TrialFaultRates rates = profile.faults();
    return (rates.crashes().value() + rates.hangs().value()) / 3600;
  }

  /** Returns after how many seconds without a report an attempt counts as hung. */
  double silenceS(double needsS) {
    return problem.silence().seconds().orElse(Math.max(20, 3 * needsS));
  }

  /** Returns when the clock of an instance strikes. */
  double strikesAtS(ReferenceLease lease) {
    return instancePerS() > 0
        ? Math.max(now, lease.runningS) + lease.hazard / instancePerS()
        : NEVER;
  }

  /** Lets the clocks of all instances run until {@code untilS}. */
  void runClocks(double untilS) {
    for (ReferenceLease lease : held) {
      lease.hazard -= Math.max(0, untilS - Math.max(now, lease.runningS)) * instancePerS();
    }
  }

  /** Loses an instance whose clock strikes, with others, unless the fault does not count. */
  void loseInstances(ReferenceLease struck) {
    if (!count.next()) {
      struck.hazard = NEVER;
      return;
    }
    DoubleSupplier uniform = numbers.atLoss(struck.number, struck.faults);
    InstanceFaultRates rates = offer.faults();
    double perHour = rates.failures().value() + rates.preemptions().value();
    List<ReferenceLease> lost = new ArrayList<>(List.of(struck));
    boolean preempted = uniform.getAsDouble() * perHour >= rates.failures().value();
    double nextHazard = Double.NaN;
    boolean counts = true;
    if (preempted) {
      nextHazard = ReferenceFaults.hazard(uniform.getAsDouble());
      double share = uniform.getAsDouble();
      for (ReferenceLease other : held) {
        if (other != struck
            && other.runningS <= now
            && rates.preemptions().value() > 0
            && uniform.getAsDouble() < rates.preemptedTogether()) {
          lost.add(other);
        }
      }
      counts = share * lost.size() < 1;
    }
    if (counts) {
      lost.forEach(lease -> lose(lease, preempted));
    } else {
      struck.faults++;
      struck.hazard = nextHazard;
    }
  }

  private void lose(ReferenceLease lost, boolean preempted) {
    interruptOn(lost, preempted);
    end(lost);
    if (held.size() < replaced()) {
      int number = all.stream().mapToInt(lease -> lease.number).max().orElseThrow() + 1;
      add(
          number,
          numbers.replacement(pool, offer, profile, number),
          numbers.afterFailedBootsOfReplacement(pool, offer, number),
          numbers.lossHazardOfReplacement(number));
    }
  }
}
