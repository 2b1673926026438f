package io.elastune.plan.api;

import java.util.List;

/**
 * A plan of the time-cost frontier.
 *
 * @param choice its number, from 1: that of {@code --choice}
 * @param completionSeconds its mean completion time in seconds
 * @param costUsd its mean cost in US dollars
 * @param probabilityOnTime the probability to meet the deadline; 1 without a deadline
 * @param groups the instances of each trial group
 */
public record FrontierPlan(
    int choice,
    double completionSeconds,
    double costUsd,
    double probabilityOnTime,
    List<GroupPlan> groups) {
  public FrontierPlan {
    groups = List.copyOf(groups);
  }
}
