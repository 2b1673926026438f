package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Thrown if the requested plan of the frontier does not meet the limits. */
public final class MissedChoiceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int number;
  private final transient Estimate estimate;
  private final transient Limits limits;
  private final transient List<Integer> meeting;

  /**
   * Creates an exception.
   *
   * @param number the number of the plan
   * @param meeting the numbers of the plans that meet the limits; empty if they are unknown
   */
  MissedChoiceException(int number, Estimate estimate, Limits limits, List<Integer> meeting) {
    super(
        "plan "
            + number
            + " does not meet "
            + String.join(
                " and ", missed(!isOnTime(estimate, limits), !isInBudget(estimate, limits))));
    this.number = number;
    this.estimate = estimate;
    this.limits = limits;
    this.meeting = List.copyOf(meeting);
  }

  static boolean isOnTime(Estimate estimate, Limits limits) {
    return estimate.onTime() >= limits.confidence();
  }

  static boolean isInBudget(Estimate estimate, Limits limits) {
    return estimate.inBudget().orElse(1) >= limits.confidence();
  }

  private static List<String> missed(boolean deadline, boolean budget) {
    List<String> names = new ArrayList<>();
    if (deadline) {
      names.add("the deadline");
    }
    if (budget) {
      names.add("the budget");
    }
    return names;
  }

  /** Returns the number of the plan. */
  public int number() {
    return number;
  }

  /** Returns its prediction. */
  public Estimate estimate() {
    return estimate;
  }

  /** Returns the limits. */
  public Limits limits() {
    return limits;
  }

  /** Returns whether the plan misses the deadline. */
  public boolean isLate() {
    return !isOnTime(estimate, limits);
  }

  /** Returns whether the plan costs more than the budget. */
  public boolean isOverBudget() {
    return !isInBudget(estimate, limits);
  }

  /** Returns the numbers of the plans that meet the limits, as a remedy; empty if unknown. */
  public Optional<String> alternatives() {
    return meeting.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "these meet the limits: "
                + meeting.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }
}
