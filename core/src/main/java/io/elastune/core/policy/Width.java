package io.elastune.core.policy;

import io.elastune.core.Preconditions;

/**
 * The GPUs of one trial: one or more whole GPUs, or one that several trials share.
 *
 * @param gpus GPUs that the trial uses; 1 if trials share it
 * @param trialsPerGpu trials that share each GPU
 */
public record Width(int gpus, int trialsPerGpu) {
  public Width {
    Preconditions.atLeast("gpus", 1, gpus);
    Preconditions.atLeast("trials_per_gpu", 1, trialsPerGpu);
    if (gpus > 1 && trialsPerGpu > 1) { // widths are created in each sample, the text is not
      throw new IllegalArgumentException("gpus must be 1 when trials_per_gpu is " + trialsPerGpu);
    }
  }

  /** Returns the width of a trial with whole GPUs. */
  public static Width of(int gpus) {
    return new Width(gpus, 1);
  }

  /** Returns the width of each of {@code trials} trials on one GPU; a whole GPU for one trial. */
  public static Width shared(int trials) {
    return new Width(1, trials);
  }

  /** Whether other trials may use its GPU. */
  public boolean isShared() {
    return trialsPerGpu > 1;
  }

  /** Returns the GPUs of the trial, as a fraction if trials share one. */
  public double value() {
    return (double) gpus / trialsPerGpu;
  }

  /** Returns the number of GPUs, for example {@code 3} or {@code 1/2}. */
  @Override
  public String toString() {
    return isShared() ? "1/" + trialsPerGpu : Integer.toString(gpus);
  }
}
