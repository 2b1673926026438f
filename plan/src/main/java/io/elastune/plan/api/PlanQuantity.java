package io.elastune.plan.api;

import io.elastune.core.estimate.Distribution;

/** The mean and percentiles of a predicted quantity, in the unit that its name states. */
public record PlanQuantity(double mean, double p5, double p50, double p95) {
  static PlanQuantity of(Distribution sampled) {
    return new PlanQuantity(sampled.mean(), sampled.p5(), sampled.p50(), sampled.p95());
  }
}
