package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Moves the trials of a group in progress to another allocation. They write checkpoints and end,
 * their instances are released, and only then are new ones requested. So the run never holds more
 * instances than one of the two allocations has.
 */
final class Moves {
  private Moves() {}

  /**
   * Stops attempts of {@code chain} after a checkpoint, so that they continue on the present
   * allocation.
   */
  static void uproot(Draft draft, int chain, Predicate<AttemptState> which) {
    for (AttemptState attempt : draft.attemptsOf(chain)) {
      if (attempt.goesOn() && which.test(attempt)) {
        draft.put(attempt.ending(AttemptState.Ending.MOVED, draft.now));
        draft.command(new Command.StopAttempt(attempt.attempt()));
      }
    }
  }

  static void settle(Draft draft) {
    for (int chain = 0; chain < draft.chainCount() && draft.running(); chain++) {
      Optional<TrialGroup> group = draft.group(chain);
      if (group.isPresent() && !draft.steering().changed().isEmpty()) {
        leave(draft, chain, draft.allocation(group.get()));
      }
      if (draft.steering().moving().contains(chain)) {
        move(draft, chain, group);
      }
    }
  }

  /** Releases idle instances of an offer that the group in progress does not use. */
  private static void leave(Draft draft, int chain, Allocation allocation) {
    for (LeaseState lease : draft.leases()) {
      if (isForeign(lease, chain, allocation) && !draft.occupied(lease.lease())) {
        draft.release(lease, "the group continues with another offer");
      }
    }
  }

  private static boolean isForeign(LeaseState lease, int chain, Allocation allocation) {
    return lease.chain() == chain && lease.held() && !lease.offer().equals(allocation.offer());
  }

  private static void move(Draft draft, int chain, Optional<TrialGroup> group) {
    if (group.isEmpty()) {
      draft.steering(draft.steering().moved(chain));
      return;
    }
    Allocation allocation = draft.allocation(group.get());
    // An attempt that another controller adopted may run on the old instances.
    uproot(draft, chain, attempt -> runsOnForeign(draft, attempt, allocation));
    boolean left = draft.leases().stream().noneMatch(lease -> isForeign(lease, chain, allocation));
    if (left) {
      draft.steering(draft.steering().moved(chain));
      int requested = ClusterManager.requestMissing(draft, chain, group.get(), allocation);
      draft.note(
          DecisionKind.MOVE,
          "group " + group.get().name() + " continues; " + requested + " instances requested",
          Map.of("requested", (double) requested));
    }
  }

  private static boolean runsOnForeign(Draft draft, AttemptState attempt, Allocation allocation) {
    return attempt.places().stream()
        .flatMap(place -> draft.lease(place.lease()).stream())
        .anyMatch(lease -> !lease.offer().equals(allocation.offer()));
  }
}
