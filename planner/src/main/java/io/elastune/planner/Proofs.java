package io.elastune.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Records for which deadlines and numbers of instances the cheapest plan of a chain is proven
 * optimal.
 */
final class Proofs {
  private final Pool pool;
  private final List<Exact.Goal> reached = new ArrayList<>();

  /**
   * @param pool holds the plans that the exact search found
   */
  Proofs(Pool pool) {
    this.pool = pool;
  }

  void add(Exact.Goal goal) {
    reached.add(goal);
  }

  /** Whether the cheapest plan of the pool on at most {@code cap} instances is proven optimal. */
  boolean isExact(double deadlineS, int cap) {
    return goal(deadlineS, cap).filter(goal -> keeps(goal, deadlineS, cap)).isPresent();
  }

  /** Whether the cheapest plan of a goal is also the cheapest on fewer instances. */
  private boolean keeps(Exact.Goal goal, double deadlineS, int cap) {
    return goal.cap() == cap
        || pool.cheapestBy(deadlineS, goal.cap()).stream().allMatch(draft -> draft.peak() <= cap);
  }

  /** Returns, of the goals reached for a deadline, the one with the least sufficient cap. */
  private Optional<Exact.Goal> goal(double deadlineS, int cap) {
    return reached.stream()
        .filter(goal -> goal.fromS() <= deadlineS && deadlineS <= goal.toS() && cap <= goal.cap())
        .min(Comparator.comparingInt(Exact.Goal::cap));
  }

  /**
   * Returns dollars that no plan costs less than; infinite if there is no plan; nothing if unknown.
   */
  OptionalDouble leastUsd(double deadlineS, int cap) {
    return goal(deadlineS, cap).stream()
        .mapToDouble(
            goal ->
                pool.cheapestBy(deadlineS, goal.cap())
                    .map(Draft::costUsd)
                    .orElse(Double.POSITIVE_INFINITY))
        .findFirst();
  }
}
