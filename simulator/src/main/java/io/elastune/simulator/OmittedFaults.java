package io.elastune.simulator;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.timeline.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Adds lost instances and failed attempts to the costs of searches whose predictions omit them
 * ({@link Problem#omitsFaults}). While a fault is repaired, all instances of the plan are charged,
 * and nothing else is trained. So the costs are upper limits (docs/decisions, 12).
 */
final class OmittedFaults {
  private final FaultHazards hazards;
  private final LeasePlan leases;
  private final List<Part> parts;
  private final OptionalDouble endS;
  private final double unitS;
  private final double startupS;
  private final double checkpointS;
  private final double instancesPerS;
  private final double attemptsPerS;
  private final double usdPerS;
  private final double replacementUsd;
  private final RandomStreams streams;

  /**
   * A trial group or rung.
   *
   * @param units units of a trial
   * @param lost the most of them that a fault destroys
   * @param work the units of all its trials
   */
  private record Part(int units, int lost, double work) {}

  /**
   * @param problem must allow {@code plan} and state the rates of faults
   */
  OmittedFaults(Problem problem, Plan plan) {
    Workload workload = problem.workload();
    Allocation allocation = plan.of(workload.groups().get(0));
    Offer offer = problem.offer(allocation.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    OfferRates rates = OfferRates.of(offer);
    int trialsPerGpu = problem.fluid().isPresent() ? FluidRules.of(problem, offer).share() : 1;
    hazards = FaultHazards.of(offer, profile);
    leases = LeasePlan.ofPool(1, offer, profile, new Draws(problem, 1));
    parts = workload.rungs().map(OmittedFaults::rungs).orElseGet(() -> groups(workload));
    endS = problem.endsAtS();
    unitS = slowestUnitS(plan, profile, trialsPerGpu);
    startupS = profile.startupS().mean();
    checkpointS = profile.checkpointS().mean();
    instancesPerS = allocation.instances() * hazards.instancePerS();
    attemptsPerS =
        (double) allocation.instances() * offer.gpus() * trialsPerGpu * hazards.attemptPerS();
    usdPerS =
        allocation.instances() * (rates.usdPerS() + rates.diskUsdPerS())
            + problem.running().usdPerS();
    double leastS = offer.billing().granularityS() + offer.billing().minimumS();
    replacementUsd = leastS * rates.usdPerS() + rates.perUseUsd() + rates.dataInUsd();
    streams = RandomStreams.of(problem.seed()).at("omitted faults");
  }

  private static List<Part> groups(Workload workload) {
    return workload.groups().stream().map(group -> part(group, group.trials())).toList();
  }

  private static List<Part> rungs(RungRule rule) {
    List<Part> parts = new ArrayList<>();
    double trials = rule.drawnTrials();
    for (TrialGroup rung : rule.rungs()) {
      parts.add(part(rung, trials));
      trials /= rule.eta();
    }
    return parts;
  }

  private static Part part(TrialGroup group, double trials) {
    int units = group.units();
    int interval = group.saves().map(supported -> supported.high()).orElse(1);
    int lost = group.fromScratch() ? units : Math.min(units, interval);
    return new Part(units, lost, trials * units);
  }

  /** Returns the seconds per unit with the fewest GPUs per trial that the plan or policy allows. */
  private static double slowestUnitS(Plan plan, Profile profile, int trialsPerGpu) {
    double slowestS = trialsPerGpu > 1 ? profile.secondsPerUnit(1, trialsPerGpu).orElse(0) : 0;
    for (Allocation allocation : plan.allocations().values()) {
      slowestS =
          Math.max(slowestS, profile.secondsPerUnit(allocation.gpusPerTrial()).orElseThrow());
    }
    return slowestS;
  }

  /** Returns the costs in USD of the same samples with faults. */
  double[] costUsd(JointSamples samples) {
    double[] costUsd = samples.costUsd().clone();
    if (instancesPerS + attemptsPerS > 0) {
      for (int sample = 0; sample < costUsd.length; sample++) {
        costUsd[sample] += addedUsd(samples.completionS()[sample], streams.at(sample));
      }
    }
    return costUsd;
  }

  /** Returns what faults add to the cost of a sample that takes {@code completionS} without. */
  private double addedUsd(double completionS, RandomStreams own) {
    FaultClock clock = new FaultClock(own.at("clock").open());
    double ratePerS = instancesPerS + attemptsPerS;
    double lastS = completionS;
    double usd = 0;
    int faults = 0;
    for (double nowS = clock.untilS(ratePerS); nowS < lastS; nowS += clock.untilS(ratePerS)) {
      clock.strike();
      boolean lost = clock.fraction() * ratePerS < instancesPerS;
      double delayS = lost ? lossS(clock, own.at(faults++)) : failureS(clock);
      usd += lost ? replacementUsd : 0;
      lastS = Math.max(lastS, Math.min(lastS + delayS, endS.orElse(Double.POSITIVE_INFINITY)));
    }
    return usd + (lastS - completionS) * usdPerS;
  }

  /** Seconds until an instance is replaced and its trials have trained what they lost. */
  private double lossS(FaultClock clock, RandomStreams replacement) {
    LeasePlan.Tables tables = leases.tables(0);
    Provisioning times =
        Provisioning.of(
            (int) leases.bootFailures(0).one(replacement.at("boot failures")),
            tables.queue().one(replacement.at("queue")),
            tables.boot().one(replacement.at("boot")),
            tables.queue(),
            tables.boot(),
            replacement.at("reboot"));
    return times.readyS(0, times.failedBoots().length / 2) + startupS + lostS(part(clock));
  }

  /** Seconds until a trial that crashed or hung has trained what it lost. */
  private double failureS(FaultClock clock) {
    Part part = part(clock);
    double repeatedS = startupS + lostS(part);
    if (clock.fraction() * hazards.attemptPerS() < hazards.crashPerS()) {
      return repeatedS;
    }
    double leftS = Math.ceil(clock.fraction() * part.units()) * unitS + startupS;
    return repeatedS + Task.hangS(leftS) + checkpointS;
  }

  private double lostS(Part part) {
    return part.lost() * unitS;
  }

  /** Returns a random part; each has the probability of its work. */
  private Part part(FaultClock clock) {
    double at = clock.fraction() * parts.stream().mapToDouble(Part::work).sum();
    for (Part part : parts) {
      at -= part.work();
      if (at < 0) {
        return part;
      }
    }
    return parts.get(parts.size() - 1);
  }
}
