package io.elastune.simulator;

/** What samplers of plans count that are played on a timeline. */
record SampleCounters(RungCounts rungs, StopCounts stops, SamplingLimit.Counter tasks) {
  /** Returns counters of samples that are only traced. */
  static SampleCounters unused() {
    return new SampleCounters(new RungCounts(0), new StopCounts(), SamplingLimit.NONE.counter());
  }
}
