package io.elastune.core.allocation;

import java.util.List;
import java.util.stream.Collectors;

/** A plan that the problem does not allow; it carries everything that is wrong with it. */
public final class IllegalPlanException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<PlanFault> faults;

  public IllegalPlanException(List<PlanFault> faults) {
    super(faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /** All faults, in the order of the workload's groups, those of the whole plan last. */
  public List<PlanFault> faults() {
    return faults;
  }
}
