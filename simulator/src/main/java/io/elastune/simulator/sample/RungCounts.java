package io.elastune.simulator.sample;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.List;

/**
 * The number of tasks of each rung and of trials that start, by sample. Several threads may set
 * different samples.
 */
public final class RungCounts {
  private final double[][] byRung;
  private double[] trials = new double[0];

  /** Creates counts without samples. */
  public RungCounts(int rungs) {
    byRung = new double[rungs][0];
  }

  /** Extends the arrays to {@code samples} samples. */
  public void grow(int samples) {
    Arrays.setAll(byRung, rung -> Arrays.copyOf(byRung[rung], samples));
    trials = Arrays.copyOf(trials, samples);
  }

  /** Sets the number of trials that have started in a sample. */
  public void setTrials(int sample, int begun) {
    trials[sample] = begun;
  }

  public void set(int sample, int[] tasks) {
    for (int rung = 0; rung < byRung.length; rung++) {
      byRung[rung][sample] = tasks[rung];
    }
  }

  /** Returns the distribution of the trials that start. */
  public Distribution trials() {
    return new Percentiles(trials.length).of(trials);
  }

  /** Returns the distribution of each rung in the first samples. */
  public List<Distribution> distributions(int samples) {
    Percentiles percentiles = new Percentiles(samples);
    return Arrays.stream(byRung).map(percentiles::of).toList();
  }
}
