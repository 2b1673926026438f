package io.elastune.planner;

import io.elastune.core.plan.Plan;
import java.util.Optional;

/**
 * A plan to compare with.
 *
 * @param name {@code static} (the best cluster of one size, held to the end), {@code naive-elastic}
 *     (GPUs per trial fixed at the first group's, instances released in step with trials), {@code
 *     fastest}, or {@code lower-bound} (every unit at the cheapest USD per unit of any legal size
 *     and offer, no idling, no boot; its time is every unit at the fastest, all trials at once as
 *     far as instances go)
 * @param feasible whether it keeps the limits, each with the confidence asked for; {@code
 *     lower-bound} is no plan and never feasible
 * @param completionS mean seconds
 * @param costUsd mean dollars
 * @param plan empty for {@code lower-bound}
 */
public record Baseline(
    String name, boolean feasible, double completionS, double costUsd, Optional<Plan> plan) {}
