package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Moves the trials of a group in progress to another allocation. They write checkpoints and end,
 * their instances are released, and only then are new ones requested. So the run never holds more
 * instances than one of the two allocations has.
 */
final class TrialMigration {
  private TrialMigration() {}

  /**
   * Stops attempts of {@code chain} after a checkpoint, so that they continue on the present
   * allocation.
   */
  static void uproot(Transition transition, int chain, Predicate<AttemptState> which) {
    uproot(transition, attempt -> attempt.chain() == chain && which.test(attempt));
  }

  /** Stops attempts of any chain after a checkpoint, so that they continue elsewhere. */
  static void uproot(Transition transition, Predicate<AttemptState> which) {
    for (AttemptState attempt : transition.attempts()) {
      if (attempt.isActive() && which.test(attempt)) {
        transition.put(attempt.ending(AttemptState.EndReason.MOVED, transition.now));
        transition.command(new Command.StopAttempt(attempt.attempt()));
      }
    }
  }

  static void advance(Transition transition) {
    for (int chain = 0; chain < transition.chainCount() && transition.running(); chain++) {
      Optional<TrialGroup> group = transition.group(chain);
      if (group.isPresent() && !transition.steering().changed().isEmpty()) {
        leave(transition, chain, transition.allocation(group.get()));
      }
      if (transition.steering().moving().contains(chain)) {
        move(transition, chain, group);
      }
    }
  }

  /** Releases idle instances of an offer that the group in progress does not use. */
  private static void leave(Transition transition, int chain, Allocation allocation) {
    for (LeaseState lease : transition.leases()) {
      if (isForeign(lease, chain, allocation) && !transition.occupied(lease.lease())) {
        transition.release(lease, ReasonCode.RELEASED_AFTER_MOVE);
      }
    }
  }

  private static boolean isForeign(LeaseState lease, int chain, Allocation allocation) {
    return lease.pool() == chain && lease.held() && !lease.offer().equals(allocation.offer());
  }

  private static void move(Transition transition, int chain, Optional<TrialGroup> group) {
    if (group.isEmpty()) {
      transition.steering(transition.steering().withoutMoving(chain));
      return;
    }
    Allocation allocation = transition.allocation(group.get());
    // An attempt that another controller adopted may run on the old instances.
    uproot(transition, chain, attempt -> runsOnForeign(transition, attempt, allocation));
    boolean left =
        transition.leases().stream().noneMatch(lease -> isForeign(lease, chain, allocation))
            && !(RungPool.handles(transition) && !RungPool.surplus(transition).isEmpty());
    if (left) {
      transition.steering(transition.steering().withoutMoving(chain));
      int requested = ClusterManager.requestMissing(transition, chain, group.get(), allocation);
      transition.recordDecision(
          DecisionKind.MOVE,
          DecisionReason.of(ReasonCode.GROUP_MOVED, group.get().name()),
          Map.of("requested", (double) requested));
    }
  }

  private static boolean runsOnForeign(
      Transition transition, AttemptState attempt, Allocation allocation) {
    return attempt.places().stream()
        .flatMap(gpuSlot -> transition.lease(gpuSlot.lease()).stream())
        .anyMatch(lease -> !lease.offer().equals(allocation.offer()));
  }
}
