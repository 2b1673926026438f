package io.elastune.core.estimate;

/**
 * One group of an estimate.
 *
 * @param group the group's name
 * @param startS when it starts, in seconds from the start of the plan
 * @param endS when its last trial ends
 * @param timeS how long it takes, from start to end
 * @param costUsd the dollars that fall into it; the groups' means add up to the plan's mean cost
 *     less what is paid by the hour for the whole plan
 */
public record GroupEstimate(
    String group,
    Distribution startS,
    Distribution endS,
    Distribution timeS,
    Distribution costUsd) {}
