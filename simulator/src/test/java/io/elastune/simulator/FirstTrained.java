package io.elastune.simulator;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungTimeline;
import io.elastune.core.search.SearchDecision.Train;

/** Plays a search on instances of one GPU that are ready at once, with one second per unit. */
final class FirstTrained implements RungTimeline.Model {
  private FirstTrained() {}

  /** Returns when the search ends, if the first trial is always the best one. */
  static double seconds(RungRule rule, int workers) {
    RungTimeline.PhaseSize size = new RungTimeline.PhaseSize(workers, 1);
    RungSearch search = new RungSearch(rule);
    RungTimeline timeline =
        new RungTimeline(
            search,
            search.initial(),
            new RungTimeline.Pool(1, size, size, true),
            new double[workers],
            new FirstTrained());
    timeline.run();
    return timeline.endS();
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
