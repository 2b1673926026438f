package io.elastune.core.search;

import io.elastune.core.plan.RungRule;
import java.util.Optional;

/**
 * Asynchronous successive halving (docs/searches.md, "ASHA"; arXiv 1810.05934). A task is issued
 * whenever one fits: an interrupted one, else the promotion to the highest rung, else a new trial.
 * With several brackets, it is asynchronous Hyperband.
 */
public final class RungSearch implements SearchAlgorithm<RungState> {
  private final RungRule rule;

  public RungSearch(RungRule rule) {
    this.rule = rule;
  }

  /** Returns the rules of the search. */
  public RungRule rule() {
    return rule;
  }

  @Override
  public RungState initial() {
    return RungState.initial(rule.brackets(), rule.targets().size());
  }

  @Override
  public SearchStep<RungState> step(RungState state, SearchEvent event) {
    RungTransition transition = new RungTransition(rule, state);
    transition.apply(event);
    return new SearchStep<>(transition.toState(), transition.takeDecisions());
  }

  @Override
  public int demand(RungState state) {
    return new RungTransition(rule, state).demand();
  }

  /**
   * Whether a new trial may start: there is time to train as many units as the longest trial so far
   * times eta, or all (docs/searches.md, "Stop time").
   *
   * @param leftS seconds until the search ends
   * @param unitS seconds per unit of a new trial
   */
  public boolean admits(RungState state, double leftS, double unitS) {
    return new RungTransition(rule, state).admits(leftS, unitS);
  }

  /** Returns the trial whose interrupted task is issued next. */
  public Optional<Integer> nextInterrupted(RungState state) {
    return state.interrupted().isEmpty()
        ? Optional.empty()
        : new RungTransition(rule, state).nextInterrupted();
  }

  /** Returns the number of results that may be promoted now. */
  public int promotable(RungState state) {
    return state.isFinished() ? 0 : new RungTransition(rule, state).promotable();
  }

  /**
   * Returns how many of {@code instances} a search keeps that starts no new trial
   * (docs/searches.md, "The release rule"). Releasing the others never delays it.
   *
   * @param perInstance tasks that fit on one instance
   */
  public int keptInstances(RungState state, int instances, int perInstance) {
    return keptInstances(demand(state), instances, perInstance);
  }

  /**
   * Returns the same for a number of running, interrupted and promotable tasks.
   *
   * @param perInstance tasks that fit on one instance
   */
  public static int keptInstances(int tasks, int instances, int perInstance) {
    return Math.min(instances, (int) (((long) tasks + perInstance - 1) / perInstance));
  }
}
