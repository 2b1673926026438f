package io.elastune.plan.api;

import io.elastune.core.estimate.GroupEstimate;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The prediction of a given plan.
 *
 * @param estimate the predicted completion time and cost
 * @param groups when each trial group ends, and its cost
 * @param spendingGuardUsd the cost at which a run without a budget asks; empty with a budget, and
 *     if nothing is charged
 * @param assumed the numbers that were assumed and not measured
 * @param json the document of {@code elastune simulate --json}
 */
public record PlanSimulation(
    PlanEstimate estimate,
    List<Group> groups,
    OptionalDouble spendingGuardUsd,
    List<String> assumed,
    String json) {
  /**
   * The prediction of a trial group.
   *
   * @param group its name
   * @param endSeconds seconds from the start of the run to its end
   * @param costUsd its mean cost in US dollars
   */
  public record Group(String group, PlanQuantity endSeconds, double costUsd) {
    static Group of(GroupEstimate estimate) {
      return new Group(
          estimate.group(), PlanQuantity.of(estimate.endS()), estimate.costUsd().mean());
    }
  }

  public PlanSimulation {
    groups = List.copyOf(groups);
    assumed = List.copyOf(assumed);
  }
}
