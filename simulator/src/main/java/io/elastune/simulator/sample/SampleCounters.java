package io.elastune.simulator.sample;

/** What samplers of plans count that are played on a timeline. */
public record SampleCounters(RungCounts rungs, StopCounts stops, SamplingLimit.Counter tasks) {
  /** Returns counters of samples that are only traced. */
  public static SampleCounters unused() {
    return new SampleCounters(new RungCounts(0), new StopCounts(), SamplingLimit.NONE.counter());
  }
}
