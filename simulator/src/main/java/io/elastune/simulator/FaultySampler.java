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
  private double[] sums = {};

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

  /** Called before a sample is simulated without faults. */
  void before() {
    if (hasFaults) {
      sums = costTotals.sums();
    }
  }

  /** Called after it; replaces its costs and the end of each group if a fault occurs in it. */
  void after(Cluster[] clusters, int sample, double[] endS) {
    boolean occurs = false;
    double[] first = new double[firstFaults.length];
    for (int chain = 0; chain < firstFaults.length; chain++) {
      int at = firstFaults[chain].offset(sample);
      first[chain] = firstFaults[chain].values()[at];
      occurs |= first[chain] <= clusters[chain].hazard;
    }
    if (occurs) {
      costTotals.restore(sums);
      simulate(clusters, first, sample, endS);
    }
  }

  private FaultyTrials trials(int group, int sample) {
    return new FaultyTrials(
        compiledGroups[group], xs[group], startups[group], tornCounts[group], sample);
  }

  private void simulate(Cluster[] without, double[] first, int sample, double[] endS) {
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
    for (int i = 0; i < compiledGroups.length; i++) {
      CompiledGroup group = compiledGroups[i];
      double startS = 0;
      for (int before : group.after()) {
        startS = Math.max(startS, endS[before]);
      }
      FaultyCluster cluster = clusters[group.chain()];
      cluster.request(group.requested(), group.group(), startS);
      FaultyTrials trials = trials(i, sample);
      endS[group.group()] = new FaultyGroupRun(group, cluster, hold, trials, startS).run();
      cluster.homes = trials.lastSlots(promotions.continuing(group, sample));
    }
  }
}
