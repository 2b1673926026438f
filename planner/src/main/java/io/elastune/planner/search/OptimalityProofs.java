package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Records for which deadlines and numbers of instances the cheapest plan of a chain is proven
 * optimal.
 */
final class OptimalityProofs {
  private final CandidatePool candidatePool;
  private final List<LabelSettingSearch.SearchGoal> reached = new ArrayList<>();

  /**
   * @param candidatePool holds the plans that the exact search found
   */
  OptimalityProofs(CandidatePool candidatePool) {
    this.candidatePool = candidatePool;
  }

  void add(LabelSettingSearch.SearchGoal searchGoal) {
    reached.add(searchGoal);
  }

  /** Whether the cheapest plan of the pool on at most {@code cap} instances is proven optimal. */
  boolean isExact(double deadlineS, int cap) {
    return goal(deadlineS, cap).filter(searchGoal -> keeps(searchGoal, deadlineS, cap)).isPresent();
  }

  /** Whether the cheapest plan of a goal is also the cheapest on fewer instances. */
  private boolean keeps(LabelSettingSearch.SearchGoal searchGoal, double deadlineS, int cap) {
    return searchGoal.cap() == cap
        || candidatePool.cheapestWithin(deadlineS, searchGoal.cap()).stream()
            .allMatch(chainCandidate -> chainCandidate.peak() <= cap);
  }

  /** Returns, of the goals reached for a deadline, the one with the least sufficient cap. */
  private Optional<LabelSettingSearch.SearchGoal> goal(double deadlineS, int cap) {
    return reached.stream()
        .filter(
            searchGoal ->
                searchGoal.fromS() <= deadlineS
                    && deadlineS <= searchGoal.toS()
                    && cap <= searchGoal.cap())
        .min(Comparator.comparingInt(LabelSettingSearch.SearchGoal::cap));
  }

  /**
   * Returns a lower bound, in USD, of the cost of every plan; infinite if there is no plan; nothing
   * if unknown.
   */
  OptionalDouble leastUsd(double deadlineS, int cap) {
    return goal(deadlineS, cap).stream()
        .mapToDouble(
            searchGoal ->
                candidatePool
                    .cheapestWithin(deadlineS, searchGoal.cap())
                    .map(ChainCandidate::costUsd)
                    .orElse(Double.POSITIVE_INFINITY))
        .findFirst();
  }
}
