package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Task;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.Outcome;

/** Plays the samples of a plan on a timeline. */
interface TimelineSampler extends BlockSampler {
  @Override
  default void simulate(int block, Outcome outcome) {
    outcome.simulate(block, sampled().costTotals, sample -> simulateOne(sample, outcome));
  }

  /** Simulates a sample, and adds it to {@code outcome}. */
  void simulateOne(int sample, Outcome outcome);

  /** Returns the timeline of the samples. */
  SampledTimeline sampled();

  /** Plays a sample, and returns when the search ended in it. */
  double play(int sample);

  /** Lets the search end at a time in any case in the next samples, if chains end each other. */
  default void endsAt(double atS) {}

  /** Whether a trial has ended the search of its chain in the last sample, which ends others. */
  default boolean wasEnded() {
    return false;
  }

  /** Returns the seconds per unit of a trial of average speed with the GPUs of a task. */
  double unitS(Task task);

  /** Returns the index of the group, or of the phase, to which a task belongs that starts now. */
  int group(Task task);
}
