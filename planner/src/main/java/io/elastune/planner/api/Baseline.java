package io.elastune.planner.api;

import io.elastune.core.plan.Plan;
import java.util.Optional;

/**
 * A simple plan that the result is compared with.
 *
 * @param name {@code static} (the best cluster of one size, held to the end), {@code naive-elastic}
 *     (GPUs per trial fixed at those of the first group, instances released in proportion to the
 *     trials), {@code fastest}, or {@code lower-bound} (every unit at the lowest cost per unit of
 *     any legal size and offer, without idle or boot time; its completion time is that of all units
 *     at the highest speed, with as many trials in parallel as the limit on instances allows)
 * @param feasible whether it meets both limits with the required confidence; {@code lower-bound} is
 *     not a plan and never feasible
 * @param completionS mean seconds
 * @param costUsd mean dollars
 * @param plan empty for {@code lower-bound}
 */
public record Baseline(
    String name, boolean feasible, double completionS, double costUsd, Optional<Plan> plan) {}
