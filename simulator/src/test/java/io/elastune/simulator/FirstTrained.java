package io.elastune.simulator;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.PlayedRungs;

/** Plays a search on instances of one GPU that are ready at once, with one second per unit. */
final class FirstTrained implements PlayedRungs.Model {
  private FirstTrained() {}

  /** Returns when the search ends, if the first trial is always the best one. */
  static double seconds(RungRule rule, int workers) {
    PhaseSizes.Phase size = new PhaseSizes.Phase(workers, 1);
    PhaseSizes.Plan plan = new PhaseSizes.Plan(1, size, size, true);
    return new PlayedRungs(rule, plan, new double[workers], 0, new FirstTrained()).timeline.play();
  }

  @Override
  public double seconds(Train task, int gpus, int instance, boolean starts) {
    return task.to() - task.from();
  }

  @Override
  public double loss(int trial, int rung) {
    return trial;
  }
}
