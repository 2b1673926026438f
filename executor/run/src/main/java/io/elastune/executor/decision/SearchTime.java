package io.elastune.executor.decision;

/** The time at which an asynchronous search ends in any case ({@code search.stop.time}). */
final class SearchTime {
  /** The error of times that are rounded, in seconds. */
  private static final double ROUNDING_S = 1e-6;

  private SearchTime() {}

  /** Whether it has passed. */
  static boolean hasPassed(Transition transition) {
    return leftS(transition) < ROUNDING_S;
  }

  /** Returns the seconds until then; infinite if the search has no such time. */
  static double leftS(Transition transition) {
    return transition.definition.searchStopS().orElse(Double.POSITIVE_INFINITY)
        - transition.elapsedS();
  }
}
