package io.elastune.core.search;

/** An event of a search. Times are not part of it: decisions depend on the order of events only. */
public sealed interface SearchEvent {
  /** A task of the present size fits on the held instances. The algorithm may return one. */
  record Fits() implements SearchEvent {}

  /**
   * A running trial reported its metric.
   *
   * @param loss the metric, negated if it is maximized; NaN for none
   */
  record Reported(int trial, int unit, double loss) implements SearchEvent {}

  /**
   * A task ended as done.
   *
   * @param loss the metric at its target, negated if it is maximized; NaN for none
   * @param early whether the trial reported that it needs no more training
   */
  record Reached(int trial, double loss, boolean early) implements SearchEvent {}

  /** A trial failed too often. */
  record Dropped(int trial) implements SearchEvent {}

  /** A task ended before its target, and must be issued again. */
  record Interrupted(int trial) implements SearchEvent {}

  /** No new trial starts from now on. */
  record Close(CloseReason reason) implements SearchEvent {}

  /** Why no new trial starts although not all have started. */
  enum CloseReason {
    /** The forecast exceeds the budget. */
    BUDGET,
    /** The deadline has passed. */
    DEADLINE,
    /** Too little time is left before the search ends. */
    TIME
  }

  /** The search ends at once: what still runs is discarded. */
  record End() implements SearchEvent {}
}
