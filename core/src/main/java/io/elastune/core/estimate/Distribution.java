package io.elastune.core.estimate;

/**
 * A sampled quantity, in the unit that the field's name gives.
 *
 * <p>Percentiles are linearly interpolated order statistics.
 */
public record Distribution(double mean, double p5, double p50, double p95) {}
