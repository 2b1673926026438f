package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.List;
import java.util.stream.Stream;

/**
 * Adds faults to the samples of a plan. A sample is first simulated without faults. Its accumulated
 * hazard shows whether a fault occurs in it; only then is it simulated again, from event to event.
 * Faults are rare, so that most samples cost a single draw per chain.
 */
final class FaultySampler {
  private final boolean hasFaults;
  private final boolean hold;
  private final CompiledGroup[] compiledGroups;
  private final List<LeasePlan> leases;
  private final List<RandomStreams> streams;
  private final DrawReader[] firstFaults;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final DrawReader[] tornCounts;
  private final Promotions promotions;
  private final CostTotals costTotals;

  /**
   * @param xs readers of the factors of trials, by group in simulation order
   * @param startups readers of their start-up times
   */
  FaultySampler(
      CompiledPlan compiledPlan,
      DrawReader[] xs,
      DrawReader[] startups,
      Promotions promotions,
      CostTotals costTotals) {
    hasFaults = compiledPlan.hasFaults();
    hold = compiledPlan.hold();
    compiledGroups = compiledPlan.steps();
    leases = hasFaults ? compiledPlan.leases() : List.of();
    streams = compiledPlan.faultStreams();
    firstFaults =
        hasFaults
            ? compiledPlan.firstFaults().stream().map(DrawReader::new).toArray(DrawReader[]::new)
            : new DrawReader[0];
    this.xs = xs;
    this.startups = startups;
    this.promotions = promotions;
    tornCounts =
        Stream.of(compiledGroups)
            .map(group -> new DrawReader(group.tornCounts()))
            .toArray(DrawReader[]::new);
    this.costTotals = costTotals;
  }

  /**
   * Replaces the costs of a sample and the end of each group if a fault occurs in it.
   *
   * @param sums the costs by category before the sample
   */
  void replace(Cluster[] clusters, int sample, double[] sums, double[] endS) {
    boolean occurs = false;
    double[] first = new double[firstFaults.length];
    for (int chain = 0; chain < firstFaults.length; chain++) {
      int at = firstFaults[chain].offset(sample);
      first[chain] = firstFaults[chain].values()[at];
      occurs |= first[chain] <= clusters[chain].hazard;
    }
    if (occurs) {
      costTotals.restore(sums);
      double targetS = simulate(clusters, first, sample, endS, Double.POSITIVE_INFINITY);
      if (targetS < Double.POSITIVE_INFINITY) {
        costTotals.restore(sums);
        simulate(clusters, first, sample, endS, targetS);
      }
    }
  }

  private FaultyTrials trials(int group, int sample) {
    return new FaultyTrials(
        compiledGroups[group], xs[group], startups[group], tornCounts[group], sample);
  }

  /**
   * Simulates a sample with faults.
   *
   * @param untilS when the search ends in any case
   * @return when a trial reports the metric that ends the search; otherwise {@code untilS}
   */
  private double simulate(
      Cluster[] without, double[] first, int sample, double[] endS, double untilS) {
    FaultyCluster[] clusters = new FaultyCluster[first.length];
    for (int chain = 0; chain < first.length; chain++) {
      RandomStreams own = streams.get(chain).at(sample);
      clusters[chain] =
          new FaultyCluster(
              leases.get(chain),
              without[chain].draws,
              costTotals,
              new FaultClock(first[chain], own.open()),
              own.at("replacement"),
              sample);
    }
    double firstS = untilS;
    for (int i = 0; i < compiledGroups.length; i++) {
      CompiledGroup group = compiledGroups[i];
      double startS = 0;
      for (int before : group.after()) {
        startS = Math.max(startS, endS[before]);
      }
      if (startS >= firstS) {
        endS[group.group()] = firstS;
        continue;
      }
      FaultyCluster cluster = clusters[group.chain()];
      cluster.request(group.requested(), group.group(), startS);
      FaultyTrials trials = trials(i, sample);
      FaultyGroupRun run = new FaultyGroupRun(group, cluster, hold, trials, startS, firstS);
      endS[group.group()] = run.run();
      firstS = run.endsSearch() ? endS[group.group()] : firstS;
      cluster.homes = trials.lastSlots(promotions.continuing(group, sample));
    }
    return firstS;
  }
}
