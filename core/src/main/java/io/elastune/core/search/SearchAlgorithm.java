package io.elastune.core.search;

/**
 * Decides which trials are trained, how far, and which stop. An implementation is a pure function:
 * the same state and event give the same step. So the executor and the simulator use the same
 * rules, and the events in a journal reproduce the state.
 */
public interface SearchAlgorithm<S extends SearchState> {
  /** Returns the state before the first event. */
  S initial();

  /** Returns the state after {@code event}, with the decisions in order. */
  SearchStep<S> step(S state, SearchEvent event);

  /**
   * Returns an upper bound of the tasks that can run at once from now on; {@link Integer#MAX_VALUE}
   * if there is none.
   */
  int demand(S state);
}
