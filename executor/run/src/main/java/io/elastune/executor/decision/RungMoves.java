package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungProgress;
import io.elastune.executor.decision.forecast.ForecastBasis;
import io.elastune.executor.decision.forecast.PresentTasks;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import java.util.Comparator;
import java.util.List;

/**
 * Decides when to ask for a plan in which the last tasks of a search made of rungs move to fewer
 * instances (docs/searches.md, "Re-planning").
 */
final class RungMoves {
  private static final int CHAIN = 0;

  private RungMoves() {}

  /**
   * Whether it pays to move the tasks of the instance with the fewest: they fit on the others, and
   * the instance costs more until the last of them ends than all others do while they wait for a
   * checkpoint and a start-up. The planner then decides.
   *
   * @param completionS the forecast end of the run in seconds from its start
   */
  static boolean pays(Transition transition, double completionS) {
    TrialGroup group = transition.group(CHAIN).orElse(null);
    if (group == null || !RungPool.handles(transition) || !RungPool.mayMove(transition)) {
      return false;
    }
    Allocation allocation = transition.allocation(group);
    List<LeaseState> held = transition.held(CHAIN, allocation.offer());
    boolean settled =
        held.size() > 1
            && held.stream().allMatch(LeaseState::isReady)
            && transition.attempts().stream().allMatch(AttemptState::isActive)
            && transition.chain(CHAIN).waiting().isEmpty();
    if (!settled) {
      return false;
    }
    LeaseState emptiest =
        held.stream()
            .min(
                RungPool.byTasks(transition)
                    .thenComparing(Comparator.comparingInt(LeaseState::number).reversed()))
            .orElseThrow();
    long tasks = RungPool.tasks(transition, emptiest);
    if (tasks == 0 || tasks > freeElsewhere(transition, allocation, emptiest)) {
      return false;
    }
    Profile profile =
        transition
            .definition
            .profile(transition.definition.offer(allocation.offer()))
            .orElseThrow();
    double checkpointS = profile.checkpointS().mean();
    double moveS = checkpointS + profile.startupS().mean();
    return lastEndS(transition, held.indexOf(emptiest)) - checkpointS > moveS * (held.size() - 1)
        && completionS + moveS <= transition.definition.deadlineOrInfinityS();
  }

  private static long freeElsewhere(
      Transition transition, Allocation allocation, LeaseState emptiest) {
    List<List<GpuSlot>> free = RungPool.freeSlots(transition, allocation);
    return free.stream().filter(slot -> !slot.get(0).lease().equals(emptiest.lease())).count();
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
