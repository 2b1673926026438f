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
  private record Selection(List<ChainCandidate> plans, double costUsd, double[] uses) {
    Selection with(ChainCandidate chainCandidate, double[] more) {
      List<ChainCandidate> all = new ArrayList<>(plans);
      all.add(chainCandidate);
      double[] sum = uses.clone();
      for (int limit = 0; limit < sum.length; limit++) {
        sum[limit] += more[limit];
      }
      return new Selection(all, costUsd + chainCandidate.costUsd(), sum);
    }

    boolean dominates(Selection other) {
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
    List<List<Selection>> each =
        candidatePools.stream()
            .map(candidatePool -> undominated(own(candidatePool, deadlineS).toList()))
            .toList();
    if (each.stream().anyMatch(List::isEmpty)) {
      return Optional.empty();
    }
    List<Selection> selections = List.of(new Selection(List.of(), 0, new double[most.length]));
    for (int chain = 0; chain < each.size(); chain++) {
      double[] left = leftFor(each.subList(chain + 1, each.size()));
      List<Selection> next = new ArrayList<>();
      for (Selection selection : selections) {
        for (Selection own : each.get(chain)) {
          Selection both = selection.with(own.plans().get(0), own.uses());
          if (fits(both, left)) {
            next.add(both);
          }
        }
      }
      selections = few(undominated(next));
    }
    return selections.stream()
        .min(Comparator.comparingDouble(Selection::costUsd))
        .map(Selection::plans);
  }

  private Stream<Selection> own(CandidatePool candidatePool, double deadlineS) {
    return candidatePool.cheapestOfEachKind(deadlineS, maxInstances).stream()
        .map(
            chainCandidate ->
                new Selection(
                    List.of(chainCandidate), chainCandidate.costUsd(), uses(chainCandidate)));
  }

  private double[] uses(ChainCandidate chainCandidate) {
    return sharedLimits.stream()
        .mapToDouble(limit -> limit.use().applyAsDouble(chainCandidate))
        .toArray();
  }

  /** Returns what may be used now so that each later chain has the least that it needs. */
  private double[] leftFor(List<List<Selection>> later) {
    double[] left = most.clone();
    for (List<Selection> own : later) {
      for (int limit = 0; limit < left.length; limit++) {
        int of = limit;
        left[limit] -= own.stream().mapToDouble(selection -> selection.uses()[of]).min().orElse(0);
      }
    }
    return left;
  }

  private static boolean fits(Selection selection, double[] left) {
    boolean all = true;
    for (int limit = 0; all && limit < left.length; limit++) {
      all = selection.uses()[limit] <= left[limit] + TimeAndCost.TOLERANCE;
    }
    return all;
  }

  /** Returns the selections that no other one dominates, the cheapest first. */
  private static List<Selection> undominated(List<Selection> selections) {
    List<Selection> sorted = new ArrayList<>(selections);
    sorted.sort(
        Comparator.comparingDouble(Selection::costUsd)
            .thenComparingDouble(selection -> Arrays.stream(selection.uses()).sum()));
    List<Selection> kept = new ArrayList<>();
    for (Selection selection : sorted) {
      if (kept.stream().noneMatch(known -> known.dominates(selection))) {
        kept.add(selection);
      }
    }
    return kept;
  }

  private List<Selection> few(List<Selection> selections) {
    if (selections.size() <= width) {
      return selections;
    }
    Stream<Selection> thrifty =
        selections.stream().sorted(Comparator.comparingDouble(this::fullest)).limit(width / 2);
    return Stream.concat(selections.stream().limit(width / 2), thrifty).distinct().toList();
  }

  /** The used part of the limit that is used most. */
  private double fullest(Selection selection) {
    double fullest = 0;
    for (int limit = 0; limit < most.length; limit++) {
      fullest = Math.max(fullest, selection.uses()[limit] / Math.max(1e-9, most[limit]));
    }
    return fullest;
  }
}
