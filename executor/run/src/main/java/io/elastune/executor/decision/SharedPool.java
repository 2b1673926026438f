package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.PoolProgress;
import java.util.List;
import java.util.Optional;

/** The instances that all chains share, if the plan says so (docs/searches.md). */
final class SharedPool {
  private SharedPool() {}

  /** Whether the chains share their instances. */
  static boolean handles(Transition transition) {
    return transition.definition.plan().shared();
  }

  static PoolProgress progress(Transition transition) {
    return new PoolProgress(transition.definition, transition.snapshot());
  }

  /** Returns how many instances the chains need; those of the plan if it holds them. */
  static int needed(Transition transition) {
    PoolProgress progress = progress(transition);
    return transition.holdsInstances() ? progress.allocation().instances() : progress.instances();
  }

  /** Returns how many instances the chains lack. */
  static int missing(Transition transition) {
    Allocation allocation = progress(transition).allocation();
    return Math.max(
        0, needed(transition) - transition.held(Transition.SHARED_POOL, allocation.offer()).size());
  }

  /** Returns the instances of the pool that are held, and that the cloud does not preempt. */
  static List<LeaseState> staying(Transition transition) {
    return transition
        .held(Transition.SHARED_POOL, progress(transition).allocation().offer())
        .stream()
        .filter(lease -> !lease.isLeaving())
        .toList();
  }

  /** Returns the chain that is served first of those with a group in progress; 0 if none has. */
  static int firstChain(Transition transition) {
    return progress(transition).order().stream()
        .filter(chain -> transition.group(chain).isPresent())
        .findFirst()
        .orElse(0);
  }

  /**
   * Returns the group in progress for which a pool of instances is held; if chains share it, that
   * of the chain that is served first.
   */
  static Optional<TrialGroup> groupOf(Transition transition, int pool) {
    return transition.group(handles(transition) ? firstChain(transition) : pool);
  }
}
