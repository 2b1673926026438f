package io.elastune.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** For which deadlines, and on how many instances, a chain's cheapest plan is known for certain. */
final class Proofs {
  private final Pool pool;
  private final List<Exact.Goal> reached = new ArrayList<>();

  /**
   * @param pool that holds what was found on the way
   */
  Proofs(Pool pool) {
    this.pool = pool;
  }

  void add(Exact.Goal goal) {
    reached.add(goal);
  }

  /** Whether the pool's cheapest plan on at most {@code cap} instances is the cheapest there is. */
  boolean isExact(double deadlineS, int cap) {
    return goal(deadlineS, cap).filter(goal -> keeps(goal, deadlineS, cap)).isPresent();
  }

  /** Whether the cheapest plan of a goal is that on fewer instances, too. */
  private boolean keeps(Exact.Goal goal, double deadlineS, int cap) {
    return goal.cap() == cap
        || pool.cheapestBy(deadlineS, goal.cap()).stream().allMatch(draft -> draft.peak() <= cap);
  }

  /** Of the goals reached for a deadline the one with the least cap that is not below. */
  private Optional<Exact.Goal> goal(double deadlineS, int cap) {
    return reached.stream()
        .filter(goal -> goal.fromS() <= deadlineS && deadlineS <= goal.toS() && cap <= goal.cap())
        .min(Comparator.comparingInt(Exact.Goal::cap));
  }

  /** Dollars that no plan costs less than; infinite if there is no plan; empty if not known. */
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
