package io.elastune.core.allocation;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a plan that violates the rules of a problem; contains all faults. */
public final class IllegalPlanException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<PlanFault> faults;

  public IllegalPlanException(List<PlanFault> faults) {
    super(faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /**
   * Returns all faults in the order of the workload's groups; faults of the whole plan come last.
   */
  public List<PlanFault> faults() {
    return faults;
  }
}
