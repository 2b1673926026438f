package io.elastune.planner.search;

import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.TrialShape;

/**
 * The plans of a user without a planner: GPUs per trial as chosen for the first group, instances
 * released in proportion to the trials.
 */
final class NaiveElastic {
  private NaiveElastic() {}

  /** Adds all such plans of a chain to a pool. */
  static void fill(
      CandidatePool candidatePool, MeanValueModel model, CandidateScorer candidateScorer) {
    for (TrialShape trialShape : model.choiceSet().trialShapes()) {
      int most =
          Math.min(
              trialShape.instancesFor(model.trials(0)), trialShape.offerChoice().maxInstances());
      for (int first = trialShape.team(); first <= most; first++) {
        TrialShape[] trialShapes = new TrialShape[model.groups()];
        int[] instances = new int[model.groups()];
        for (int group = 0; group < trialShapes.length; group++) {
          trialShapes[group] = trialShape;
          instances[group] = inStep(first, model.trials(group), model.trials(0), trialShape.team());
        }
        candidatePool.add(candidateScorer.score(trialShapes, instances));
      }
    }
  }

  private static int inStep(int first, int trials, int firstTrials, int team) {
    long share = ((long) first * trials + firstTrials - 1) / firstTrials;
    return Math.max(team, (int) Math.min(first, share));
  }
}
