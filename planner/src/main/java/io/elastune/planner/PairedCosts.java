package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;

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

  private final Simulator simulator;
  private final IncrementalSampling cheapest;

  /**
   * Creates a comparison.
   *
   * @param cheapest the plan with the lowest mean cost
   * @param samples the most samples
   */
  public PairedCosts(Problem problem, Plan cheapest, int samples, int threads) {
    this.simulator = new Simulator(problem, samples, threads);
    this.cheapest = simulator.sampling(cheapest);
  }

  /**
   * Returns whether the mean costs of a plan and the cheapest one cannot be distinguished: they
   * differ by at most two standard errors of their paired difference.
   */
  public boolean isSame(Plan other) {
    IncrementalSampling sampling = simulator.sampling(other);
    for (int samples = FEW; samples < simulator.samples(); samples *= 2) {
      if (!isWithin(sampling, samples, CLEAR_STANDARD_ERRORS)) {
        return false;
      }
    }
    return isWithin(sampling, simulator.samples(), SAME_STANDARD_ERRORS);
  }

  private boolean isWithin(IncrementalSampling sampling, int samples, double standardErrors) {
    double[] other = sampling.sampleUpTo(samples).costUsd();
    double[] own = cheapest.sampleUpTo(samples).costUsd();
    int count = Math.min(own.length, other.length);
    if (count < FEWEST) {
      return count == 1 && other[0] <= own[0];
    }
    double mean = 0;
    for (int i = 0; i < count; i++) {
      mean += (other[i] - own[i]) / count;
    }
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double deviation = other[i] - own[i] - mean;
      squares += deviation * deviation;
    }
    double error = Math.sqrt(squares / (count - 1.0) / count);
    return mean <= standardErrors * error;
  }
}
