package io.elastune.core.policy;

/**
 * An attempt of a task under a scheduling policy, as {@link PolicyTimeline} plays it.
 *
 * @param group the name of its group
 * @param from the units of the task that were trained before it
 * @param to the units of the task that are trained after it
 * @param start the trial and where it runs
 * @param startS when it starts, in seconds
 * @param endS when it ends, in seconds
 */
public record PolicyAttempt(
    String group, int from, int to, PolicyDecision.Start start, double startS, double endS) {}
