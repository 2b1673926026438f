package io.elastune.simulator;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.timeline.PolicyRun;
import java.util.Arrays;

/**
 * How often a scheduling policy ends a running task after a checkpoint, by sample. Several threads
 * may set different samples.
 */
final class StopCounts {
  private double[] resizes = new double[0];
  private double[] preemptions = new double[0];

  /** Extends the arrays to {@code samples} samples. */
  void grow(int samples) {
    resizes = Arrays.copyOf(resizes, samples);
    preemptions = Arrays.copyOf(preemptions, samples);
  }

  void set(int sample, PolicyRun policy) {
    resizes[sample] = policy.resizes();
    preemptions[sample] = policy.preemptions();
  }

  /** Returns the distribution of the changes of the GPUs of a trial. */
  Distribution resizes() {
    return new Percentiles(resizes.length).of(resizes);
  }

  /** Returns the distribution of the tasks that wait so that others run. */
  Distribution preemptions() {
    return new Percentiles(preemptions.length).of(preemptions);
  }
}
