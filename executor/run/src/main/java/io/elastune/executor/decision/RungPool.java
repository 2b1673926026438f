package io.elastune.executor.decision;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Computes how many instances a search made of rungs needs (docs/searches.md, "The plan"). */
final class RungPool {
  /** The instance that was requested last is the first. */
  private static final Comparator<LeaseState> BY_NUMBER =
      Comparator.comparingInt(LeaseState::number).reversed();

  private RungPool() {}

  /** Whether the run is a search made of rungs that starts its tasks by itself. */
  static boolean handles(Transition transition) {
    return transition.definition.workload().rungs().isPresent()
        && transition.definition.hyperSched().isEmpty();
  }

  /**
   * Returns the free slots in which tasks start now: those of all ready instances but the surplus
   * ones, without the GPUs that are reserved for new trials.
   */
  static List<List<GpuSlot>> freeSlots(Transition transition, Allocation allocation) {
    List<List<GpuSlot>> free = unused(transition, allocation);
    List<List<GpuSlot>> reserved = reserved(transition);
    if (reserved.isEmpty()) {
      return free;
    }
    Set<GpuSlot> gpus = reserved.stream().flatMap(List::stream).collect(Collectors.toSet());
    return free.stream().filter(slot -> Collections.disjoint(slot, gpus)).toList();
  }

  /**
   * Returns the free slots for a new trial that has its configuration: in the order of the numbers
   * of instances, and none if the trials that still wait for theirs need all.
   */
  static List<List<GpuSlot>> slotsOfNew(Transition transition, Allocation allocation) {
    List<List<GpuSlot>> free = unused(transition, allocation);
    return free.size() > Proposals.open(transition) ? free : List.of();
  }

  /**
   * Returns the slots of the new trials that wait for their configurations: the first free ones of
   * the phase open, in which the prediction starts them.
   */
  static List<List<GpuSlot>> reserved(Transition transition) {
    int waiting = Proposals.open(transition);
    if (waiting == 0) {
      return List.of();
    }
    TrialGroup open = transition.chainDefinition(RungChain.INDEX).groups().get(0);
    return unused(transition, transition.allocation(open)).stream().limit(waiting).toList();
  }

  private static List<List<GpuSlot>> unused(Transition transition, Allocation allocation) {
    List<List<GpuSlot>> free =
        PlacementController.freeSlots(transition, RungChain.INDEX, allocation);
    Set<String> surplus = surplus(transition);
    return surplus.isEmpty()
        ? free
        : free.stream().filter(slot -> !surplus.contains(slot.get(0).lease())).toList();
  }

  /**
   * Returns the instances that a new plan has no use for: while new trials may start, those with
   * the highest numbers; afterwards, while tasks move, those that they leave.
   */
  static Set<String> surplus(Transition transition) {
    TrialGroup group = transition.group(RungChain.INDEX).orElseThrow();
    boolean isOpen = transition.chain(RungChain.INDEX).group() == 0;
    boolean hasSurplus =
        isOpen
            ? transition.steering().changed().containsKey(group.name())
            : transition.steering().moving().contains(RungChain.INDEX);
    if (!hasSurplus) {
      return Set.of();
    }
    Allocation allocation = transition.allocation(group);
    List<LeaseState> staying =
        transition.held(RungChain.INDEX, allocation.offer()).stream()
            .filter(lease -> !lease.isLeaving())
            .toList();
    return isOpen
        ? first(staying, BY_NUMBER, allocation.instances())
        : left(transition, staying, allocation.instances());
  }

  /**
   * Returns the instances that tasks leave: those on which the fewest continue, of several the
   * highest numbers. The forecast of a plan assumes the same order.
   *
   * @param kept how many of the instances are kept
   */
  static Set<String> left(Transition transition, List<LeaseState> held, int kept) {
    return first(held, byTasks(transition).thenComparing(BY_NUMBER), kept);
  }

  private static Set<String> first(List<LeaseState> held, Comparator<LeaseState> order, int kept) {
    return held.stream()
        .sorted(order)
        .limit(Math.max(0, held.size() - kept))
        .map(LeaseState::lease)
        .collect(Collectors.toSet());
  }

  /**
   * Whether a new plan moves tasks: no new trial starts, and the phase closing gets fewer instances
   * than the present plan has for it and than are held. Otherwise tasks end where they are.
   */
  static boolean movesTasks(Transition transition, Map<String, Allocation> changes) {
    TrialGroup group = transition.group(RungChain.INDEX).orElse(null);
    if (group == null || !mayMove(transition)) {
      return false;
    }
    Allocation now = transition.allocation(group);
    Allocation then = changes.getOrDefault(group.name(), now);
    int held = transition.held(RungChain.INDEX, now.offer()).size();
    return then.instances() < Math.min(now.instances(), held);
  }

  /** Whether tasks may move to fewer instances in the present phase. */
  static boolean mayMove(Transition transition) {
    return handles(transition)
        && transition.chain(RungChain.INDEX).group() > 0
        && transition.definition.rungChanges().filter(RungChanges.PLACES::equals).isPresent();
  }

  /** Orders instances by the tasks that continue on them, fewest first. */
  private static Comparator<LeaseState> byTasks(Transition transition) {
    return Comparator.comparingLong(lease -> tasks(transition, lease));
  }

  /** Returns how many tasks continue on an instance. */
  private static long tasks(Transition transition, LeaseState lease) {
    return transition.attempts().stream()
        .filter(attempt -> attempt.isActive() && attempt.uses(lease.lease()))
        .count();
  }

  /** Returns how many instances the search lacks. */
  static int missing(Transition transition) {
    Allocation allocation = transition.allocation(transition.group(RungChain.INDEX).orElseThrow());
    int held = transition.held(RungChain.INDEX, allocation.offer()).size();
    return Math.max(0, needed(transition, allocation) - held);
  }

  /** Returns how many instances the search needs in its present phase. */
  static int needed(Transition transition, Allocation allocation) {
    RungState state = transition.chain(RungChain.INDEX).rungs().orElseThrow();
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
