package io.elastune.planner.combine;

import io.elastune.core.plan.Limits;
import io.elastune.planner.model.Bisection;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.CandidatePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Combines plans of single chains into plans for all chains: for a common deadline every chain
 * takes its cheapest plan; if these exceed a shared limit together, {@link SharedLimitSelection}
 * selects others so that the sum costs least. The instances that chains hold together are counted
 * as the sum of their peaks.
 */
final class MultiChainCombiner {
  private final List<SharedLimitSelection> selections;
  private final SharedLimitSelection all;
  private final int maxInstances;
  private final double clockUsdPerS;
  private final SearchParameters.Combination parameters;
  private boolean coupled;

  MultiChainCombiner(Limits limits, double clockUsdPerS, SearchParameters.Combination parameters) {
    this.parameters = parameters;
    this.all = SharedLimitSelection.ofAll(limits, parameters);
    this.selections = List.of(SharedLimitSelection.ofInstances(limits), all);
    this.maxInstances = limits.maxInstances();
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
      int feasible =
          Bisection.first(0, all.length, i -> combine(candidatePools, all[i]).isPresent());
      sampled(all, feasible)
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
    Optional<List<ChainCandidate>> selected = cheapestOfEach(candidatePools, deadlineS);
    for (SharedLimitSelection selection : selections) {
      if (selected.isPresent() && !selection.isWithin(selected.get())) {
        coupled = true;
        selected = selection.best(candidatePools, deadlineS);
      }
    }
    return selected.map(this::jobCandidate);
  }

  /** Returns the cheapest plan of each chain; empty if a chain has none. */
  private Optional<List<ChainCandidate>> cheapestOfEach(
      List<CandidatePool> candidatePools, double deadlineS) {
    List<ChainCandidate> cheapest =
        candidatePools.stream()
            .flatMap(pool -> pool.cheapestWithin(deadlineS, maxInstances).stream())
            .toList();
    return Optional.of(cheapest).filter(it -> it.size() == candidatePools.size());
  }

  /**
   * Returns {@code jobCandidate} with another plan for one chain, if all together stay within the
   * limits.
   */
  Optional<JobCandidate> withReplaced(
      JobCandidate jobCandidate, int chain, ChainCandidate chainCandidate) {
    List<ChainCandidate> chainCandidates = new ArrayList<>(jobCandidate.chainCandidates());
    chainCandidates.set(chain, chainCandidate);
    return all.isWithin(chainCandidates)
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
}
