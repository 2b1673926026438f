package io.elastune.simulator;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.List;

/**
 * The number of tasks of each rung and of trials that start, by sample. Several threads may set
 * different samples.
 */
final class RungCounts {
  private final double[][] byRung;
  private double[] trials = new double[0];

  /** Creates counts without samples. */
  RungCounts(int rungs) {
    byRung = new double[rungs][0];
  }

  /** Extends the arrays to {@code samples} samples. */
  void grow(int samples) {
    Arrays.setAll(byRung, rung -> Arrays.copyOf(byRung[rung], samples));
    trials = Arrays.copyOf(trials, samples);
  }

  /** Sets the number of trials that have started in a sample. */
  void setTrials(int sample, int begun) {
    trials[sample] = begun;
  }

  void set(int sample, int[] tasks) {
    for (int rung = 0; rung < byRung.length; rung++) {
      byRung[rung][sample] = tasks[rung];
    }
  }

  /** Returns the distribution of the trials that start. */
  Distribution trials() {
    return new Percentiles(trials.length).of(trials);
  }

  /** Returns the distribution of each rung in the first samples. */
  List<Distribution> distributions(int samples) {
    Percentiles percentiles = new Percentiles(samples);
    return Arrays.stream(byRung).map(percentiles::of).toList();
  }
}
