package io.elastune.simulator.rank;

import io.elastune.core.plan.Problem;
import io.elastune.core.search.LearningCurves;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * At which units trials report the metric that ends a search, by their learning curves
 * (docs/searches.md, "Target").
 */
public final class TargetUnits {
  private final Map<Integer, Integer> byTrial = new HashMap<>();

  /** Reads the curves of {@code ranks}; without curves or a target, no trial ends the search. */
  public TargetUnits(Problem problem, RankModel ranks) {
    Optional<LearningCurves> curves = ranks.curves();
    if (curves.isPresent() && problem.workload().target().isPresent()) {
      double target = problem.workload().target().getAsDouble();
      for (int trial : curves.get().points().keySet()) {
        curves.get().firstUnit(trial, target, 0).ifPresent(unit -> byTrial.put(trial, unit));
      }
    }
  }

  /** Whether a trial may end the search. */
  public boolean exist() {
    return !byTrial.isEmpty();
  }

  /** Returns the unit after which a trial ends the search; empty if it does not. */
  public OptionalInt of(int trial) {
    Integer unit = byTrial.get(trial);
    return unit == null ? OptionalInt.empty() : OptionalInt.of(unit);
  }

  /**
   * Returns the same as the number of units that a task has completed then.
   *
   * @param from the units of the trial before the task
   */
  public OptionalInt ofTask(int trial, int from) {
    OptionalInt unit = of(trial);
    return unit.isPresent() && unit.getAsInt() > from
        ? OptionalInt.of(unit.getAsInt() - from)
        : OptionalInt.empty();
  }
}
