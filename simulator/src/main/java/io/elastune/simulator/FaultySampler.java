package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds faults to the samples of a plan. A sample is first simulated without faults. Its accumulated
 * hazard shows whether a fault occurs in it; only then is it simulated again, each chain from event
 * to event from the group of its first fault on. Most samples of small jobs cost a single draw per
 * chain, and large jobs are simulated without faults up to their first one.
 */
final class FaultySampler {
  private final boolean hold;
  private final CompiledGroup[] compiledGroups;
  private final List<LeasePlan> leases;
  private final List<RandomStreams> streams;
  private final DrawReader[] firstFaults;
  private final FaultyTrials[] trials;
  private final Promotions promotions;

  /** By chain: the hazard until its first fault in the present sample. */
  private final double[] first;

  /** By chain: the group from which it is simulated from event to event, in simulation order. */
  private final int[] from;

  /** By chain: its instances from that group on; null before. */
  private final @Nullable FaultyCluster[] clusters;

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
    boolean hasFaults = compiledPlan.hasFaults();
    hold = compiledPlan.hold();
    compiledGroups = compiledPlan.steps();
    leases = hasFaults ? compiledPlan.leases() : List.of();
    streams = compiledPlan.faultStreams();
    firstFaults =
        hasFaults
            ? compiledPlan.firstFaults().stream().map(DrawReader::new).toArray(DrawReader[]::new)
            : new DrawReader[0];
    this.promotions = promotions;
    trials = new FaultyTrials[hasFaults ? compiledGroups.length : 0];
    for (int i = 0; i < trials.length; i++) {
      DrawReader tornCounts = new DrawReader(compiledGroups[i].tornCounts());
      trials[i] = new FaultyTrials(compiledGroups[i], xs[i], startups[i], tornCounts);
    }
    first = new double[firstFaults.length];
    from = new int[firstFaults.length];
    clusters = new FaultyCluster[firstFaults.length];
    this.costTotals = costTotals;
  }

  /**
   * Draws whether a fault occurs in a sample that was simulated without faults.
   *
   * @param clusters the clusters after the sample, by chain
   */
  boolean occurs(Cluster[] clusters, int sample) {
    boolean occurs = false;
    for (int chain = 0; chain < firstFaults.length; chain++) {
      int at = firstFaults[chain].offset(sample);
      first[chain] = firstFaults[chain].values()[at];
      occurs |= first[chain] <= clusters[chain].hazard;
    }
    return occurs;
  }

  /**
   * Begins a sample with faults that were drawn.
   *
   * @param hazards by group in simulation order: the hazard of its chain before it
   * @param without the clusters after the sample without faults, by chain
   */
  void begin(double[] hazards, Cluster[] without) {
    for (int chain = 0; chain < first.length; chain++) {
      from[chain] =
          first[chain] <= without[chain].hazard
              ? firstGroup(chain, hazards)
              : compiledGroups.length;
      clusters[chain] = null;
    }
  }

  /**
   * Returns the group from which a chain is simulated from event to event: that of its first fault,
   * or an earlier one if it matters where the trials of the group before ran.
   */
  private int firstGroup(int chain, double[] hazards) {
    int group = 0;
    boolean known = true;
    for (int i = 0; i < compiledGroups.length; i++) {
      if (compiledGroups[i].chain() != chain) {
        continue;
      }
      if (hazards[i] >= first[chain]) {
        break;
      }
      group = known ? i : group;
      known = compiledGroups[i].promotion().isEmpty();
    }
    return group;
  }

  /** Returns whether a group is simulated from event to event. */
  boolean isFaulty(int step) {
    return step >= from[compiledGroups[step].chain()];
  }

  /**
   * Simulates a group with faults and returns its end.
   *
   * @param before the cluster of its chain without faults, at the end of the group before
   */
  double run(int step, Cluster before, int sample, double startS) {
    CompiledGroup group = compiledGroups[step];
    FaultyCluster cluster = clusters[group.chain()];
    if (cluster == null) {
      cluster =
          cluster(group.chain(), before, sample, first[group.chain()] - before.hazardUntil(startS));
      cluster.takeOver(before, startS);
      clusters[group.chain()] = cluster;
    }
    return run(step, cluster, sample, startS, Double.POSITIVE_INFINITY).endS();
  }

  private FaultyCluster cluster(int chain, Cluster without, int sample, double firstFault) {
    RandomStreams own = streams.get(chain).at(sample);
    return new FaultyCluster(
        leases.get(chain),
        without.draws,
        costTotals,
        new FaultClock(firstFault, own.open()),
        own.at("replacement"),
        sample);
  }

  /** The end of a group, and whether the search ended with it. */
  private record GroupEnd(double endS, boolean endsSearch) {}

  private GroupEnd run(int step, FaultyCluster cluster, int sample, double startS, double untilS) {
    CompiledGroup group = compiledGroups[step];
    cluster.request(group.requested(), group.group(), startS);
    FaultyTrials own = trials[step];
    own.read(sample);
    FaultyGroupRun run = new FaultyGroupRun(group, cluster, hold, own, startS, untilS);
    double endS = run.run();
    cluster.homes = own.lastSlots(promotions.continuing(group, sample));
    return new GroupEnd(endS, run.endsSearch());
  }

  /**
   * Replaces the costs of a sample and the end of each group by those with the faults of {@link
   * #occurs}, in a search that a trial may end.
   *
   * @param sums the costs by category before the sample
   */
  void replace(Cluster[] without, int sample, double[] sums, double[] endS) {
    costTotals.restore(sums);
    double targetS = simulate(without, sample, endS, Double.POSITIVE_INFINITY);
    if (targetS < Double.POSITIVE_INFINITY) {
      costTotals.restore(sums);
      simulate(without, sample, endS, targetS);
    }
  }

  /**
   * Simulates a sample with faults.
   *
   * @param untilS when the search ends in any case
   * @return when a trial reports the metric that ends the search; otherwise {@code untilS}
   */
  private double simulate(Cluster[] without, int sample, double[] endS, double untilS) {
    FaultyCluster[] own = new FaultyCluster[first.length];
    Arrays.setAll(own, chain -> cluster(chain, without[chain], sample, first[chain]));
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
      GroupEnd end = run(i, own[group.chain()], sample, startS, firstS);
      endS[group.group()] = end.endS();
      firstS = end.endsSearch() ? end.endS() : firstS;
    }
    return firstS;
  }
}
