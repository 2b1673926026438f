package io.elastune.executor.decision;

/**
 * Selects the scheduler of a search: of rungs, of chains that share instances, of trials that a
 * policy divides the GPUs among, or of chains.
 */
final class Schedulers {
  private Schedulers() {}

  /** Starts waiting trials, ends completed groups, and releases surplus instances. */
  static void advance(Transition transition) {
    if (transition.definition.hyperSched().isPresent()) {
      HyperSchedScheduler.advance(transition);
      return;
    }
    if (RungPool.handles(transition)) {
      RungScheduler.advance(transition);
      return;
    }
    TargetMetric.stopRest(transition);
    if (SharedPool.handles(transition)) {
      PoolScheduler.advance(transition);
    } else if (FluidScheduler.handles(transition)) {
      FluidScheduler.advance(transition);
    } else if (HermesScheduler.handles(transition)) {
      HermesScheduler.advance(transition);
    } else {
      Scheduler.advance(transition);
    }
  }
}
