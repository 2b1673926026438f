package io.elastune.core.estimate;

/**
 * Standard errors of an estimate's means: how far they may be, two times out of three, from those
 * of infinitely many samples. 0 when nothing varies.
 *
 * @param completionS of the mean completion, in seconds
 * @param costUsd of the mean cost, in dollars
 */
public record SamplingError(double completionS, double costUsd) {}
