package io.elastune.profiler;

import java.util.Comparator;

/**
 * How many GPUs a trial has, or how many trials share one.
 *
 * @param gpus GPUs per trial
 * @param sharing trials per GPU
 */
record TrialSize(int gpus, int sharing) implements Comparable<TrialSize> {
  private static final Comparator<TrialSize> ORDER =
      Comparator.comparingInt(TrialSize::sharing).thenComparingInt(TrialSize::gpus);

  /** Returns the size of a trial that shares no GPU. */
  static TrialSize of(int gpus) {
    return new TrialSize(gpus, 1);
  }

  boolean isShared() {
    return sharing > 1;
  }

  @Override
  public int compareTo(TrialSize other) {
    return ORDER.compare(this, other);
  }
}
