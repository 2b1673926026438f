package io.elastune.executor.decision;

/** Starts a search with the scheduler for its kind. */
final class SearchStart {
  private SearchStart() {}

  static void begin(Transition transition) {
    if (RungPool.handles(transition)) {
      RungScheduler.begin(transition);
    } else if (transition.definition.hyperSched().isPresent()) {
      HyperSchedScheduler.begin(transition);
    } else {
      Scheduler.beginChains(transition);
    }
  }
}
