package io.elastune.core.estimate;

/**
 * Standard errors of the means of an estimate. In about two of three cases, a mean differs from the
 * mean of infinitely many samples by at most its standard error. 0 when nothing varies.
 *
 * @param completionS standard error of the mean completion time, in seconds
 * @param costUsd standard error of the mean cost, in USD
 */
public record SamplingError(double completionS, double costUsd) {}
