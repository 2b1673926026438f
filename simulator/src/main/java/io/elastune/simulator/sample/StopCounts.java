package io.elastune.simulator.sample;

import io.elastune.core.timeline.PolicyRun;
import java.util.Arrays;

/**
 * How often a scheduling policy ends a running task after a checkpoint, by sample. Several threads
 * may set different samples.
 */
public final class StopCounts {
  private double[] resizes = new double[0];
  private double[] preemptions = new double[0];

  /** Extends the arrays to {@code samples} samples. */
  public void grow(int samples) {
    resizes = Arrays.copyOf(resizes, samples);
    preemptions = Arrays.copyOf(preemptions, samples);
  }

  public void set(int sample, PolicyRun policy) {
    resizes[sample] = policy.resizes();
    preemptions[sample] = policy.preemptions();
  }

  /** Returns the distributions in the first samples. */
  public PolicyStops distributions(int samples) {
    Percentiles percentiles = new Percentiles(samples);
    return new PolicyStops(percentiles.of(resizes), percentiles.of(preemptions));
  }
}
