package io.elastune.core.policy;

import io.elastune.core.Preconditions;

/**
 * The parameters of Hermes (docs/searches.md, "Hermes").
 *
 * @param jobsPerGpu the most trials that are placed on a GPU, of which one runs at a time
 * @param sliceUnits units after which the trials of a GPU are compared; at least 2
 * @param isMinimized whether less is better
 */
public record HermesRule(int jobsPerGpu, int sliceUnits, boolean isMinimized) {
  public HermesRule {
    Preconditions.atLeast("jobs_per_gpu", 1, jobsPerGpu);
    Preconditions.atLeast("slice", 2, sliceUnits);
  }

  /**
   * Returns how fast a trial converges.
   *
   * @param firstLoss the loss of its first report
   * @param fallen by how much its loss has fallen in a slice
   * @param seconds for which it was trained in this slice
   */
  public double rate(double firstLoss, double fallen, double seconds) {
    double scale = isMinimized && firstLoss != 0 ? Math.abs(firstLoss) : 1;
    double rate = seconds > 0 ? fallen / (seconds * scale) : 0;
    return Double.isNaN(rate) ? Double.NEGATIVE_INFINITY : rate;
  }
}
