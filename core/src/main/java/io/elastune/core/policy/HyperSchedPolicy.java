package io.elastune.core.policy;

import java.util.Optional;

/**
 * Trains as many trials as there is time to compare, pauses those that are behind, and gives the
 * GPUs to the best ones as the deadline approaches (docs/searches.md, "HyperSched"; SoCC 2019). All
 * trials that the search may start wait in the order of their numbers.
 */
public final class HyperSchedPolicy implements SchedulingPolicy<HyperSchedState> {
  /** The name of the group of all trials. */
  public static final String GROUP = "r";

  private final HyperSchedRule rule;
  private final WidthSeconds seconds;

  /**
   * @param seconds the seconds per unit with each number of GPUs that {@code rule} allows
   */
  public HyperSchedPolicy(HyperSchedRule rule, WidthSeconds seconds) {
    this.rule = rule;
    this.seconds = seconds;
  }

  /**
   * Returns the last of the trials that must be able to start so that a decision does not depend on
   * those that follow: one more than can start at once.
   *
   * @param trials all trials
   * @param started trials that have started
   * @param gpus the GPUs of the cluster
   */
  public static int lastStartable(int trials, int started, int gpus) {
    return Math.min(trials, started + gpus + 1);
  }

  @Override
  public HyperSchedState initial() {
    return HyperSchedState.initial(rule.targets().size());
  }

  @Override
  public boolean usesUnitEnds(HyperSchedState state) {
    return true;
  }

  /** While all GPUs are in use, only new results and trials that are behind change anything. */
  @Override
  public int nextUnit(HyperSchedState state, int trial, int unit) {
    if (!state.isFull() || state.isBehind(trial)) {
      return unit;
    }
    for (int target : rule.targets()) {
      if (target >= unit) {
        return target;
      }
    }
    return Integer.MAX_VALUE;
  }

  /**
   * New trials start with the fewest GPUs, so their units are measured first and most often. The
   * times of other widths do not count: to compare them, the speed-up of the profile would be
   * needed.
   */
  @Override
  public Optional<Width> measuredWidth() {
    return Optional.of(rule.narrowest());
  }

  @Override
  public boolean usesReports() {
    return true;
  }

  @Override
  public PolicyStep<HyperSchedState> assign(HyperSchedState state, PolicyView view) {
    return new HyperSchedAssignment(rule, seconds, state, view).run();
  }
}
