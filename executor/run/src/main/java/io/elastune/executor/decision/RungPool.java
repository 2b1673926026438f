package io.elastune.executor.decision;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.plan.Allocation;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;

/** Computes how many instances a search made of rungs needs (docs/searches.md, "The plan"). */
final class RungPool {
  private static final int CHAIN = 0;

  private RungPool() {}

  /** Whether the run is a search made of rungs that starts its tasks by itself. */
  static boolean handles(Transition transition) {
    return transition.definition.workload().rungs().isPresent()
        && transition.definition.hyperSched().isEmpty();
  }

  /** Returns how many instances the search lacks. */
  static int missing(Transition transition) {
    Allocation allocation = transition.allocation(transition.group(CHAIN).orElseThrow());
    int held = transition.held(CHAIN, allocation.offer()).size();
    return Math.max(0, needed(transition, allocation) - held);
  }

  /** Returns how many instances the search needs in its present phase. */
  static int needed(Transition transition, Allocation allocation) {
    RungState state = transition.chain(CHAIN).rungs().orElseThrow();
    boolean isDivided = transition.definition.fluid().isPresent(); // among any number of tasks
    if (state.phase() == RungState.Phase.OPEN || isDivided) {
      return allocation.instances();
    }
    int perInstance =
        SlotCounts.trialsPerTeam(transition.definition.offer(allocation.offer()), allocation);
    return new RungSearch(transition.definition.workload().rungs().orElseThrow())
        .keptInstances(state, allocation.instances(), perInstance);
  }
}
