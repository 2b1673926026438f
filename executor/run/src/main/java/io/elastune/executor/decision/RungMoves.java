package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungProgress;
import io.elastune.executor.decision.forecast.ForecastBasis;
import io.elastune.executor.decision.forecast.PresentTasks;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.LeaseState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decides when to ask for a plan in which the last tasks of a search made of rungs move to fewer
 * instances (docs/searches.md, "Re-planning").
 */
final class RungMoves {
  private RungMoves() {}

  /**
   * Whether it pays to move the tasks of the instance with the fewest: they fit on the others, and
   * the instance costs more until the last of them ends than all others do while they wait for a
   * checkpoint and a start-up. The planner then decides.
   *
   * @param completionS the forecast end of the run in seconds from its start
   */
  static boolean pays(Transition transition, double completionS) {
    TrialGroup group = transition.group(RungChain.INDEX).orElse(null);
    if (group == null || !RungPool.mayMove(transition)) {
      return false;
    }
    Allocation allocation = transition.allocation(group);
    List<LeaseState> held = transition.held(RungChain.INDEX, allocation.offer());
    Set<String> left = RungPool.left(transition, held, held.size() - 1);
    boolean isUsed =
        held.size() > 1 && transition.attempts().stream().anyMatch(attempt -> uses(attempt, left));
    if (!isUsed || !isPossible(transition, allocation, left)) {
      return false;
    }
    Profile profile =
        transition
            .definition
            .profile(transition.definition.offer(allocation.offer()))
            .orElseThrow();
    double checkpointS = profile.checkpointS().mean();
    double moveS = checkpointS + profile.startupS().mean();
    int emptiest =
        IntStream.range(0, held.size())
            .filter(i -> left.contains(held.get(i).lease()))
            .findFirst()
            .orElseThrow();
    return lastEndS(transition, emptiest) - checkpointS > moveS * (held.size() - 1)
        && completionS + moveS <= transition.definition.deadlineOrInfinityS();
  }

  /** Whether the tasks can still move that a new plan moves. */
  static boolean isPossible(Transition transition, Map<String, Allocation> changes) {
    TrialGroup group = transition.group(RungChain.INDEX).orElseThrow();
    Allocation then = changes.getOrDefault(group.name(), transition.allocation(group));
    List<LeaseState> held = transition.held(RungChain.INDEX, then.offer());
    return isPossible(transition, then, RungPool.left(transition, held, then.instances()));
  }

  /**
   * Whether all instances are ready, all tasks run, none waits for its configuration, and those on
   * the instances that are left fit on the others.
   *
   * @param allocation that of the tasks after they have moved
   */
  private static boolean isPossible(
      Transition transition, Allocation allocation, Set<String> left) {
    boolean isSettled =
        transition.held(RungChain.INDEX, allocation.offer()).stream().allMatch(LeaseState::isReady)
            && transition.attempts().stream().allMatch(AttemptState::isActive)
            && transition.chain(RungChain.INDEX).waiting().isEmpty()
            && Proposals.open(transition) == 0;
    long tasks = transition.attempts().stream().filter(attempt -> uses(attempt, left)).count();
    long free =
        PlacementController.freeSlots(transition, RungChain.INDEX, allocation).stream()
            .filter(slot -> !left.contains(slot.get(0).lease()))
            .count();
    return isSettled && tasks <= free;
  }

  private static boolean uses(AttemptState attempt, Set<String> leases) {
    return leases.stream().anyMatch(attempt::uses);
  }

  /** Seconds until the last task on an instance ends. */
  private static double lastEndS(Transition transition, int instance) {
    ForecastBasis basis = new ForecastBasis(transition.definition, transition.snapshot());
    return new PresentTasks(basis)
        .progress().tasks().stream()
            .filter(task -> task.instance() == instance)
            .mapToDouble(RungProgress.IssuedTask::leftS)
            .max()
            .orElse(0);
  }
}
