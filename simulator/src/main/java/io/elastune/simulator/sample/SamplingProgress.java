package io.elastune.simulator.sample;

/** Receives how far a long sampling is. Several threads may report. */
@FunctionalInterface
public interface SamplingProgress {
  /** Ignores progress. */
  SamplingProgress NONE = (samples, most) -> {};

  /**
   * Reports progress.
   *
   * @param samples samples so far, not always in order; 0 when another sampling begins
   * @param most samples at the end, at most
   */
  void sampled(int samples, int most);
}
