package io.elastune.executor.decision;

/** The time at which an asynchronous search ends in any case ({@code search.stop.time}). */
final class SearchTime {
  private SearchTime() {}

  /** Whether it has passed. */
  static boolean hasPassed(Transition transition) {
    return leftS(transition) < Transition.ROUNDING_S;
  }

  /** Returns the seconds until then; infinite if the search has no such time. */
  static double leftS(Transition transition) {
    return transition.definition.searchStopS().orElse(Double.POSITIVE_INFINITY)
        - transition.elapsedS();
  }
}
