package io.elastune.core.estimate;

/**
 * The estimate of one trial group.
 *
 * @param group the group's name
 * @param startS start of the group, in seconds from the start of the plan
 * @param endS end of its last trial, in seconds from the start of the plan
 * @param timeS seconds from its start to its end
 * @param costUsd cost of the group in USD; the group means add up to the plan's mean cost less the
 *     hourly costs of the whole plan
 */
public record GroupEstimate(
    String group,
    Distribution startS,
    Distribution endS,
    Distribution timeS,
    Distribution costUsd) {}
