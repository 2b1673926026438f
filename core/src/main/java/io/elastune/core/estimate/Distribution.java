package io.elastune.core.estimate;

/**
 * Mean and percentiles of a sampled quantity, in the unit named by the field.
 *
 * <p>Percentiles are linearly interpolated order statistics.
 */
public record Distribution(double mean, double p5, double p50, double p95) {}
