package io.elastune.core.plan;

/**
 * An instance that a run holds. Seconds count from the start of the run.
 *
 * @param offer the name of its offer
 * @param runningS when its billing started, or is expected to start
 * @param readyS when it was ready, or is expected to be
 * @param usedS seconds in which a trial ran on it: needed where only use is billed
 */
public record RentedInstance(String offer, double runningS, double readyS, double usedS) {}
