package io.elastune.inputs;

/**
 * By how much a plan takes longer and costs more on average than another plan, or than the same in
 * another problem, by equal samples of both.
 *
 * @param seconds seconds of the completion time
 * @param usd USD
 */
public record MeanDifference(double seconds, double usd) {}
