package io.elastune.planner;

/**
 * The plans of a user without a planner: GPUs per trial as chosen for the first group, instances
 * released in proportion to the trials.
 */
final class NaiveElastic {
  private NaiveElastic() {}

  /** Adds all such plans of a chain to a pool. */
  static void fill(Pool pool, ChainModel model, Scorer scorer) {
    for (Size size : model.menu().sizes()) {
      int most = Math.min(size.roomFor(model.trials(0)), size.rental().most());
      for (int first = size.team(); first <= most; first++) {
        Size[] sizes = new Size[model.groups()];
        int[] instances = new int[model.groups()];
        for (int group = 0; group < sizes.length; group++) {
          sizes[group] = size;
          instances[group] = inStep(first, model.trials(group), model.trials(0), size.team());
        }
        pool.add(scorer.score(sizes, instances));
      }
    }
  }

  private static int inStep(int first, int trials, int firstTrials, int team) {
    long share = ((long) first * trials + firstTrials - 1) / firstTrials;
    return Math.max(team, (int) Math.min(first, share));
  }
}
