package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.estimate.Distribution;
import io.elastune.simulator.sample.PolicyStops;

/** How often a scheduling policy ends running trials after a checkpoint, as part of documents. */
public record StopsDocument(
    @JsonPropertyDescription("Trials that wait so that others run.") Count preemptions,
    @JsonPropertyDescription("Changes of the GPUs of a trial.") Count resizes) {
  /** The distribution of a number. */
  record Count(double mean, double p5, double p95) {
    static Count of(Distribution count) {
      return new Count(count.mean(), count.p5(), count.p95());
    }
  }

  static StopsDocument of(PolicyStops stops) {
    return new StopsDocument(Count.of(stops.preemptions()), Count.of(stops.resizes()));
  }
}
