package io.elastune.planner.combine;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.search.CandidatePool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Selects a plan for each of several chains so that all of them together stay within shared limits,
 * and cost least. Chain by chain, it retains the selections that no other one dominates. Under the
 * limit on instances alone these are at most as many as instances, and the result is the best one;
 * under several limits, of very many only the cheapest and those that leave most for the later
 * chains are retained.
 */
final class SharedLimitSelection {
  private final List<SharedLimit> sharedLimits;
  private final int maxInstances;
  private final double[] most;
  private final int width;

  /**
   * A limit that several chains share.
   *
   * @param use what a plan for one chain uses of it, at its peak
   */
  private record SharedLimit(double most, ToDoubleFunction<ChainCandidate> use) {}

  /** Plans for the first chains, their total cost, and their use of every limit. */
  @SuppressWarnings("ArrayRecordComponent") // only read; nothing compares these
  private record SelectedFronts(List<ChainCandidate> drafts, double costUsd, double[] uses) {
    SelectedFronts with(ChainCandidate chainCandidate, double[] more) {
      List<ChainCandidate> all = new ArrayList<>(drafts);
      all.add(chainCandidate);
      double[] sum = uses.clone();
      for (int limit = 0; limit < sum.length; limit++) {
        sum[limit] += more[limit];
      }
      return new SelectedFronts(all, costUsd + chainCandidate.costUsd(), sum);
    }

    boolean dominates(SelectedFronts other) {
      boolean all = costUsd <= other.costUsd;
      for (int limit = 0; all && limit < uses.length; limit++) {
        all = uses[limit] <= other.uses[limit] + TimeAndCost.TOLERANCE;
      }
      return all;
    }
  }

  private SharedLimitSelection(List<SharedLimit> sharedLimits, int maxInstances, int width) {
    this.sharedLimits = sharedLimits;
    this.maxInstances = maxInstances;
    this.most = sharedLimits.stream().mapToDouble(SharedLimit::most).toArray();
    this.width = width;
  }

  /** Creates a selection under the limit on instances alone. */
  static SharedLimitSelection ofInstances(Limits limits) {
    return new SharedLimitSelection(
        List.of(instances(limits)), limits.maxInstances(), Integer.MAX_VALUE);
  }

  /** Creates a selection under the limits on instances, dollars per hour and quotas. */
  static SharedLimitSelection ofAll(Limits limits, SearchParameters.Combination parameters) {
    List<SharedLimit> all = new ArrayList<>();
    all.add(instances(limits));
    all.add(new SharedLimit(limits.maxUsdPerHour(), it -> it.peak(Offer::usdPerHour)));
    for (Quota quota : limits.quotas()) {
      all.add(
          new SharedLimit(
              quota.limit(), it -> it.peak(offer -> quota.unitsPerInstance(offer.name()))));
    }
    return new SharedLimitSelection(all, limits.maxInstances(), parameters.widthSelections());
  }

  private static SharedLimit instances(Limits limits) {
    return new SharedLimit(limits.maxInstances(), ChainCandidate::peak);
  }

  /** Whether plans, one for each chain, together stay within the limits. */
  boolean isWithin(List<ChainCandidate> chainCandidates) {
    return sharedLimits.stream()
        .allMatch(
            limit ->
                chainCandidates.stream().mapToDouble(limit.use()).sum()
                    <= limit.most() + TimeAndCost.TOLERANCE);
  }

  /** Returns the cheapest selection of plans that all take at most {@code deadlineS}. */
  Optional<List<ChainCandidate>> best(List<CandidatePool> candidatePools, double deadlineS) {
    List<List<SelectedFronts>> each =
        candidatePools.stream()
            .map(candidatePool -> undominated(own(candidatePool, deadlineS).toList()))
            .toList();
    if (each.stream().anyMatch(List::isEmpty)) {
      return Optional.empty();
    }
    List<SelectedFronts> selectedFrontses =
        List.of(new SelectedFronts(List.of(), 0, new double[most.length]));
    for (int chain = 0; chain < each.size(); chain++) {
      double[] left = leftFor(each.subList(chain + 1, each.size()));
      List<SelectedFronts> next = new ArrayList<>();
      for (SelectedFronts selectedFronts : selectedFrontses) {
        for (SelectedFronts own : each.get(chain)) {
          SelectedFronts both = selectedFronts.with(own.drafts().get(0), own.uses());
          if (fits(both, left)) {
            next.add(both);
          }
        }
      }
      selectedFrontses = few(undominated(next));
    }
    return selectedFrontses.stream()
        .min(Comparator.comparingDouble(SelectedFronts::costUsd))
        .map(SelectedFronts::drafts);
  }

  private Stream<SelectedFronts> own(CandidatePool candidatePool, double deadlineS) {
    return candidatePool.cheapestOfEachKind(deadlineS, maxInstances).stream()
        .map(
            chainCandidate ->
                new SelectedFronts(
                    List.of(chainCandidate), chainCandidate.costUsd(), uses(chainCandidate)));
  }

  private double[] uses(ChainCandidate chainCandidate) {
    return sharedLimits.stream()
        .mapToDouble(limit -> limit.use().applyAsDouble(chainCandidate))
        .toArray();
  }

  /** Returns what may be used now so that each later chain has the least that it needs. */
  private double[] leftFor(List<List<SelectedFronts>> later) {
    double[] left = most.clone();
    for (List<SelectedFronts> own : later) {
      for (int limit = 0; limit < left.length; limit++) {
        int of = limit;
        left[limit] -=
            own.stream().mapToDouble(selectedFronts -> selectedFronts.uses()[of]).min().orElse(0);
      }
    }
    return left;
  }

  private static boolean fits(SelectedFronts selectedFronts, double[] left) {
    boolean all = true;
    for (int limit = 0; all && limit < left.length; limit++) {
      all = selectedFronts.uses()[limit] <= left[limit] + TimeAndCost.TOLERANCE;
    }
    return all;
  }

  /** Returns the selections that no other one dominates, the cheapest first. */
  private static List<SelectedFronts> undominated(List<SelectedFronts> selectedFrontses) {
    List<SelectedFronts> sorted = new ArrayList<>(selectedFrontses);
    sorted.sort(
        Comparator.comparingDouble(SelectedFronts::costUsd)
            .thenComparingDouble(selectedFronts -> Arrays.stream(selectedFronts.uses()).sum()));
    List<SelectedFronts> kept = new ArrayList<>();
    for (SelectedFronts selectedFronts : sorted) {
      if (kept.stream().noneMatch(known -> known.dominates(selectedFronts))) {
        kept.add(selectedFronts);
      }
    }
    return kept;
  }

  private List<SelectedFronts> few(List<SelectedFronts> selectedFrontses) {
    if (selectedFrontses.size() <= width) {
      return selectedFrontses;
    }
    Stream<SelectedFronts> thrifty =
        selectedFrontses.stream()
            .sorted(Comparator.comparingDouble(this::fullest))
            .limit(width / 2);
    return Stream.concat(selectedFrontses.stream().limit(width / 2), thrifty).distinct().toList();
  }

  /** The used part of the limit that is used most. */
  private double fullest(SelectedFronts selectedFronts) {
    double fullest = 0;
    for (int limit = 0; limit < most.length; limit++) {
      fullest = Math.max(fullest, selectedFronts.uses()[limit] / Math.max(1e-9, most[limit]));
    }
    return fullest;
  }
}
