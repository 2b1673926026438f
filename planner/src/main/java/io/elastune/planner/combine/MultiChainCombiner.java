package io.elastune.planner.combine;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.search.CandidatePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Combines plans of single chains into plans for all chains: for a common deadline every chain
 * takes its cheapest plan; if these hold too many instances together, the instances are split so
 * that the sum costs least. The instances that chains hold together are counted as the sum of their
 * peaks.
 */
final class MultiChainCombiner {
  private final Limits limits;
  private final double clockUsdPerS;
  private final SearchParameters.Combination parameters;
  private boolean coupled;

  MultiChainCombiner(Limits limits, double clockUsdPerS, SearchParameters.Combination parameters) {
    this.parameters = parameters;
    this.limits = limits;
    this.clockUsdPerS = clockUsdPerS;
  }

  /** Whether a shared limit prevented a chain from using its own best plan. */
  boolean isCoupled() {
    return coupled;
  }

  /**
   * Returns the frontier of all chains together.
   *
   * @param alsoS a common deadline that is always included
   */
  ParetoFront<JobCandidate> frontier(List<CandidatePool> candidatePools, double alsoS) {
    ParetoFront<JobCandidate> paretoFront = new ParetoFront<>(JobCandidate::compareAllocations);
    if (candidatePools.size() == 1) {
      for (ChainCandidate chainCandidate : candidatePools.get(0).all().items()) {
        paretoFront.add(
            new JobCandidate(
                List.of(chainCandidate), chainCandidate.completionS(), chainCandidate.costUsd()));
      }
      return paretoFront;
    }
    double[] alone =
        times(
            candidatePools.stream().flatMap(candidatePool -> candidatePool.all().items().stream()));
    sampled(alone, 0)
        .forEach(deadlineS -> combine(candidatePools, deadlineS).ifPresent(paretoFront::add));
    if (coupled) {
      // Dominated plans count too, since they may hold less of what is shared.
      double[] all =
          candidatePools.stream()
              .flatMapToDouble(CandidatePool::completionsS)
              .distinct()
              .sorted()
              .toArray();
      sampled(all, firstFeasible(candidatePools, all))
          .forEach(deadlineS -> combine(candidatePools, deadlineS).ifPresent(paretoFront::add));
    }
    combine(candidatePools, alsoS).ifPresent(paretoFront::add);
    if (clockUsdPerS > 0) {
      // Because of hourly costs an earlier common end may be the cheapest.
      commonEnds(candidatePools, alsoS)
          .forEach(endS -> combine(candidatePools, endS).ifPresent(paretoFront::add));
    }
    return paretoFront;
  }

  private DoubleStream commonEnds(List<CandidatePool> candidatePools, double untilS) {
    return candidatePools.stream()
        .flatMapToDouble(CandidatePool::completionsS)
        .filter(endS -> endS <= untilS)
        .distinct()
        .limit(parameters.commonEnds());
  }

  private static double[] times(Stream<ChainCandidate> chainCandidates) {
    return chainCandidates.mapToDouble(ChainCandidate::completionS).distinct().sorted().toArray();
  }

  /** The index of the first deadline that all chains together can meet. */
  private int firstFeasible(List<CandidatePool> candidatePools, double[] deadlinesS) {
    int low = 0;
    int high = deadlinesS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (combine(candidatePools, deadlinesS[middle]).isPresent()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns a few of some deadlines in ascending order, including the first and the last. */
  private DoubleStream sampled(double[] deadlinesS, int from) {
    int last = deadlinesS.length - 1;
    int step = Math.max(1, (last - from) / parameters.commonDeadlines());
    return IntStream.rangeClosed(from, last)
        .filter(place -> (place - from) % step == 0 || place == last)
        .mapToDouble(place -> deadlinesS[place]);
  }

  /** Returns the cheapest combination that takes at most {@code deadlineS}. */
  Optional<JobCandidate> combine(List<CandidatePool> candidatePools, double deadlineS) {
    @Nullable List<ChainCandidate> chainCandidates =
        split(candidatePools, deadlineS, limits.maxInstances());
    if (chainCandidates == null) {
      return Optional.empty();
    }
    if (!isWithinPriceAndQuotas(chainCandidates)) {
      coupled = true;
      return new SharedLimitSelection(limits, parameters)
          .best(candidatePools, deadlineS)
          .map(this::jobCandidate);
    }
    return Optional.of(jobCandidate(chainCandidates));
  }

  private boolean isWithinPriceAndQuotas(List<ChainCandidate> chainCandidates) {
    double usdPerHour = chainCandidates.stream().mapToDouble(d -> d.peak(Offer::usdPerHour)).sum();
    return usdPerHour <= limits.maxUsdPerHour() + TimeAndCost.TOLERANCE
        && limits.quotas().stream()
            .allMatch(
                quota ->
                    chainCandidates.stream()
                            .mapToDouble(
                                chainCandidate ->
                                    chainCandidate.peak(
                                        offer -> quota.unitsPerInstance(offer.name())))
                            .sum()
                        <= quota.limit());
  }

  /**
   * Returns {@code jobCandidate} with another plan for one chain, if all together stay within the
   * limits.
   */
  Optional<JobCandidate> withReplaced(
      JobCandidate jobCandidate, int chain, ChainCandidate chainCandidate) {
    List<ChainCandidate> chainCandidates = new ArrayList<>(jobCandidate.chainCandidates());
    chainCandidates.set(chain, chainCandidate);
    boolean few =
        chainCandidates.stream().mapToInt(ChainCandidate::peak).sum() <= limits.maxInstances();
    return few && isWithinPriceAndQuotas(chainCandidates)
        ? Optional.of(jobCandidate(chainCandidates))
        : Optional.empty();
  }

  private JobCandidate jobCandidate(List<ChainCandidate> chainCandidates) {
    double completionS =
        chainCandidates.stream().mapToDouble(ChainCandidate::completionS).max().orElse(0);
    double costUsd = chainCandidates.stream().mapToDouble(ChainCandidate::costUsd).sum();
    double meanS = chainCandidates.stream().mapToDouble(ChainCandidate::meanS).max().orElse(0);
    return new JobCandidate(chainCandidates, completionS, costUsd + meanS * clockUsdPerS);
  }

  /** The cheapest plans that hold at most {@code cap} instances together. */
  private @Nullable List<ChainCandidate> split(
      List<CandidatePool> candidatePools, double deadlineS, int cap) {
    List<ChainCandidate> free = new ArrayList<>();
    for (CandidatePool candidatePool : candidatePools) {
      candidatePool.cheapestWithin(deadlineS, cap).ifPresent(free::add);
    }
    if (free.size() < candidatePools.size()) {
      return null;
    }
    if (free.stream().mapToInt(ChainCandidate::peak).sum() <= cap) {
      return free;
    }
    coupled = true;
    KnapsackAllocation knapsackAllocation =
        KnapsackAllocation.best(
            candidatePools.size(),
            cap,
            (chain, own) ->
                candidatePools
                    .get(chain)
                    .cheapestWithin(deadlineS, own)
                    .map(ChainCandidate::costUsd)
                    .orElse(Double.POSITIVE_INFINITY));
    if (Double.isInfinite(knapsackAllocation.usd())) {
      return null;
    }
    List<ChainCandidate> chainCandidates = new ArrayList<>();
    for (int chain = 0; chain < candidatePools.size(); chain++) {
      candidatePools
          .get(chain)
          .cheapestWithin(deadlineS, knapsackAllocation.caps()[chain])
          .ifPresent(chainCandidates::add);
    }
    return chainCandidates;
  }
}
