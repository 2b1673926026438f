package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.simulator.IncrementalSampling;
import java.util.function.Function;

/**
 * Compares the costs of plans sample by sample: equal samples of two plans have the same random
 * numbers.
 */
public final class PairedCosts {
  /** Costs that differ by less cannot be distinguished. */
  private static final double SAME_STANDARD_ERRORS = 2;

  /** Beyond this difference few samples suffice. */
  private static final double CLEAR_STANDARD_ERRORS = 4;

  private static final int FEW = 64;
  private static final int FEWEST = 2;

  private final Function<Plan, IncrementalSampling> samplings;
  private final IncrementalSampling cheapest;
  private final int most;

  /**
   * Creates a comparison.
   *
   * @param samplings returns the sampling of a plan, with all samples so far
   * @param cheapest the plan with the lowest mean cost
   * @param samples the most samples
   */
  public PairedCosts(Function<Plan, IncrementalSampling> samplings, Plan cheapest, int samples) {
    this.samplings = samplings;
    this.cheapest = samplings.apply(cheapest);
    this.most = samples;
  }

  /**
   * Returns whether the mean costs of a plan and the cheapest one cannot be distinguished: they
   * differ by at most two standard errors of their paired difference. A comparison that a time
   * limit ended does not show it.
   */
  public boolean isSame(Plan other) {
    IncrementalSampling sampling = samplings.apply(other);
    for (int samples = FEW; samples < most; samples *= 2) {
      if (!isWithin(sampling, samples, CLEAR_STANDARD_ERRORS)) {
        return false;
      }
    }
    return isWithin(sampling, most, SAME_STANDARD_ERRORS);
  }

  private boolean isWithin(IncrementalSampling sampling, int samples, double standardErrors) {
    double[] other = sampling.sampleUpTo(samples).costUsd();
    double[] own = cheapest.sampleUpTo(samples).costUsd();
    int count = Math.min(samples, Math.min(own.length, other.length));
    if (count < samples) {
      return false;
    }
    if (count < FEWEST) {
      return count == 1 && other[0] <= own[0];
    }
    PairedMean paired = PairedMean.of(other, own, count);
    return paired.difference() <= standardErrors * paired.error();
  }
}
