package io.elastune.core.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Computes the widths of trials and how long they train with them. */
final class FluidWidths {
  private static final double PACE_STEP = 1e-6;

  /** A share that is less than this below a number of GPUs is that number. */
  private static final double ROUNDING = 1e-9;

  private final FluidRule rule;
  private final Map<Width, Double> unitS = new HashMap<>();
  private final double baseUnitS;

  FluidWidths(FluidRule rule, WidthSeconds seconds) {
    this.rule = rule;
    for (int size : rule.sizes()) {
      unitS.put(Width.of(size), seconds.perUnit(Width.of(size)));
    }
    if (rule.share() > 1) {
      unitS.put(Width.shared(rule.share()), seconds.perUnit(Width.shared(rule.share())));
    }
    baseUnitS = seconds.perUnit(Width.of(rule.sizes().first()));
  }

  /** Returns the seconds that a task has left with an allowed width (its height). */
  double heightS(PolicyView.Task task, Width width) {
    Double seconds = unitS.get(width);
    if (seconds == null) {
      throw new IllegalArgumentException("no trial has the width " + width);
    }
    return task.unitsLeft() * pace(task) * seconds;
  }

  /** Returns the sum of the heights of all tasks with the smallest number of whole GPUs. */
  double totalS(Collection<PolicyView.Task> tasks) {
    return tasks.stream().mapToDouble(this::baseS).sum();
  }

  private double baseS(PolicyView.Task task) {
    return task.unitsLeft() * pace(task) * baseUnitS;
  }

  /** Equal trials have equal paces, although measured ones differ by the rounding of times. */
  private static double pace(PolicyView.Task task) {
    return Math.rint(task.pace() / PACE_STEP) * PACE_STEP;
  }

  /**
   * Returns the width in proportion to the training that a task has left: the largest allowed
   * number of whole GPUs within it, or a shared GPU.
   *
   * @param gpus GPUs of the cluster
   * @param totalS {@link #totalS} of all tasks that have not ended
   */
  Width width(PolicyView.Task task, int gpus, double totalS) {
    double share = totalS > 0 ? gpus * baseS(task) / totalS : 0;
    Integer size = rule.sizes().floor((int) (share + ROUNDING));
    if (size != null) {
      return Width.of(size);
    }
    return rule.sizes().first() == 1 ? Width.shared(rule.share()) : Width.of(rule.sizes().first());
  }

  /** Returns the order in which tasks are served: wide ones first, then those with most to do. */
  Comparator<PolicyView.Task> order(Function<PolicyView.Task, Width> widthOf) {
    return Comparator.comparingDouble((PolicyView.Task task) -> -widthOf.apply(task).value())
        .thenComparingDouble(task -> -baseS(task))
        .thenComparingInt(PolicyView.Task::trial);
  }
}
