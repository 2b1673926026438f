package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Task;
import io.elastune.simulator.sample.BlockSampler;

/** Plays the samples of a plan on a timeline. */
interface TimelineSampler extends BlockSampler {
  /** Returns the timeline of the samples. */
  SampledTimeline sampled();

  /** Plays a sample, and returns when the search ended in it. */
  double play(int sample);

  /** Returns the seconds per unit of a trial of average speed with the GPUs of a task. */
  double unitS(Task task);

  /** Returns the index of the group, or of the phase, to which a task belongs that starts now. */
  int group(Task task);
}
