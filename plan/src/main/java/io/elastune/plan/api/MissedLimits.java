package io.elastune.plan.api;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Limits that no plan meets.
 *
 * @param violated the limits that cannot be met, e.g. {@code deadline}; empty if no offer can hold
 *     a trial group
 * @param nearestDeadlineSeconds a deadline that a plan meets, if there is a deadline
 * @param nearestBudgetUsd a budget that a plan meets, if there is a budget
 * @param together whether both limits must be relaxed
 * @param mostTrials the most trials that meet the limits, if known
 * @param remarks why there is no plan, or what could not be proven
 * @param json the document of {@code elastune plan --json}
 */
public record MissedLimits(
    List<String> violated,
    OptionalDouble nearestDeadlineSeconds,
    OptionalDouble nearestBudgetUsd,
    boolean together,
    OptionalInt mostTrials,
    List<String> remarks,
    String json) {
  public MissedLimits {
    violated = List.copyOf(violated);
    remarks = List.copyOf(remarks);
  }
}
