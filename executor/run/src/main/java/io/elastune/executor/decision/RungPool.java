package io.elastune.executor.decision;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Computes how many instances a search made of rungs needs (docs/searches.md, "The plan"). */
final class RungPool {
  private static final int CHAIN = 0;

  private RungPool() {}

  /** Whether the run is a search made of rungs that starts its tasks by itself. */
  static boolean handles(Transition transition) {
    return transition.definition.workload().rungs().isPresent()
        && transition.definition.hyperSched().isEmpty();
  }

  /**
   * Returns the free slots in which tasks start: those of all ready instances but the surplus ones.
   */
  static List<List<GpuSlot>> freeSlots(Transition transition, Allocation allocation) {
    List<List<GpuSlot>> free = PlacementController.freeSlots(transition, CHAIN, allocation);
    Set<String> surplus = surplus(transition);
    return surplus.isEmpty()
        ? free
        : free.stream().filter(slot -> !surplus.contains(slot.get(0).lease())).toList();
  }

  /**
   * Returns the instances that a new plan has no use for: while new trials may start, those with
   * the highest numbers; afterwards, if tasks may move, those with the fewest tasks.
   */
  static Set<String> surplus(Transition transition) {
    TrialGroup group = transition.group(CHAIN).orElseThrow();
    boolean isOpen = transition.chain(CHAIN).group() == 0;
    if (!transition.steering().changed().containsKey(group.name())
        || !(isOpen || mayMove(transition))) {
      return Set.of();
    }
    Allocation allocation = transition.allocation(group);
    List<LeaseState> staying =
        transition.held(CHAIN, allocation.offer()).stream()
            .filter(lease -> !lease.isLeaving())
            .toList();
    Comparator<LeaseState> order = Comparator.comparingInt(LeaseState::number).reversed();
    return staying.stream()
        .sorted(isOpen ? order : byTasks(transition).thenComparing(order))
        .limit(Math.max(0, staying.size() - allocation.instances()))
        .map(LeaseState::lease)
        .collect(Collectors.toSet());
  }

  /** Whether tasks may move to fewer instances in the present phase. */
  static boolean mayMove(Transition transition) {
    return transition.chain(CHAIN).group() > 0
        && transition.definition.rungChanges().filter(RungChanges.PLACES::equals).isPresent();
  }

  /** Orders instances by the tasks that continue on them, fewest first. */
  static Comparator<LeaseState> byTasks(Transition transition) {
    return Comparator.comparingLong(lease -> tasks(transition, lease));
  }

  /** Returns how many tasks continue on an instance. */
  static long tasks(Transition transition, LeaseState lease) {
    return transition.attempts().stream()
        .filter(attempt -> attempt.isActive() && attempt.uses(lease.lease()))
        .count();
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
