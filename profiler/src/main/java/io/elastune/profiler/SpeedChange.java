package io.elastune.profiler;

/**
 * A change of the speed of a program.
 *
 * @param run the first run with the new speed
 * @param ratio seconds per unit after the change divided by those before it
 * @param otherCode whether the code has changed too
 * @param dropped how many profiles and runs were before it
 */
public record SpeedChange(String run, double ratio, boolean otherCode, int dropped) {}
