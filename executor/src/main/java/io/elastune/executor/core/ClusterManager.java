package io.elastune.executor.core;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import java.util.List;

/**
 * Requests the instances that a group lacks at its start, and releases those that the next group
 * does not need as soon as they are idle (docs/model.md, "Money").
 */
final class ClusterManager {
  /** Minimum limit of replacements for lost instances in one group. */
  private static final int MOST_REPLACED = 5;

  /** The same limit as a multiple of the group's instances: all may be preempted at once. */
  private static final int TIMES_REPLACED = 3;

  /** The reason for releasing an instance that does not answer. */
  static final String LOST = "lost; terminating it to be safe";

  private ClusterManager() {}

  /** Requests the instances that {@code allocation} lacks, and returns how many. */
  static int requestMissing(Draft draft, int chain, TrialGroup group, Allocation allocation) {
    int missing = allocation.instances() - draft.held(chain, allocation.offer()).size();
    return request(draft, chain, group, allocation.offer(), missing);
  }

  /** Requests {@code count} more instances if the budget allows it, and returns how many. */
  static int request(Draft draft, int chain, TrialGroup group, String offer, int count) {
    if (count <= 0 || !Watch.mayRequest(draft, offer, count)) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      request(draft, chain, group, offer);
    }
    return count;
  }

  private static void request(Draft draft, int chain, TrialGroup group, String offer) {
    int number = draft.leases().size() + 1;
    String lease = draft.definition.run() + "-" + number;
    double usdPerHour = draft.peek().usdPerHour(draft.definition, offer);
    draft.put(
        LeaseState.requested(lease, number, chain, group.name(), offer, usdPerHour, draft.now));
    draft.command(new Command.RequestInstance(lease, offer));
  }

  /**
   * Releases idle instances that the next group does not need, once the last trial of a group has
   * started: first those that are not ready, then by descending number.
   */
  static void releaseSurplus(Draft draft, int chain) {
    ChainState state = draft.chain(chain);
    boolean moreToStart =
        !state.waiting().isEmpty()
            || draft.attemptsOf(chain).stream().anyMatch(AttemptState::isUprooted);
    if (!draft.running() || state.started().isEmpty() || moreToStart) {
      return;
    }
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    boolean ended = state.group() >= groups.size();
    if (draft.hold() && !ended) {
      return;
    }
    for (LeaseState lease : idle(draft, chain)) {
      if (surplus(draft, chain, lease.offer()) > 0) {
        draft.release(lease, "idle, and not needed by the next group");
      }
    }
  }

  /** Idle instances in the order of their release. */
  private static List<LeaseState> idle(Draft draft, int chain) {
    return draft.leases().stream()
        .filter(lease -> lease.chain() == chain && lease.held() && !draft.occupied(lease.lease()))
        .map(lease -> new IdleInstance(0, lease.isReady(), lease.number()))
        .sorted()
        .map(idle -> draft.lease(idle.instance()))
        .toList();
  }

  private static int surplus(Draft draft, int chain, String offer) {
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    ChainState state = draft.chain(chain);
    int need = 0;
    if (state.group() + 1 < groups.size()) {
      Allocation next = draft.allocation(groups.get(state.group() + 1));
      need = next.offer().equals(offer) ? next.instances() : 0;
    }
    return IdleInstance.surplus(draft.held(chain, offer).size(), need);
  }

  /**
   * Whether a chain holds and waits for less than a single trial needs, and is not changing its
   * allocation.
   */
  static boolean isStranded(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      TrialGroup group = draft.group(chain).orElse(null);
      boolean moves = draft.steering().moving().contains(chain);
      if (group != null && !moves && isStranded(draft, chain, group)) {
        return true;
      }
    }
    return false;
  }

  /** Whether {@code chain} holds and waits for less than a single trial of {@code group} needs. */
  static boolean isStranded(Draft draft, int chain, TrialGroup group) {
    Allocation allocation = draft.allocation(group);
    int held = draft.held(chain, allocation.offer()).size();
    return held < PlacementController.teamSize(draft, allocation);
  }

  /** Releases an instance that is no longer usable, and requests a replacement. */
  static void giveUp(Draft draft, LeaseState lease, String reason) {
    Supervisor.loseAttemptsOn(draft, lease.lease());
    draft.release(lease, reason);
    replace(draft, lease);
  }

  private static void replace(Draft draft, LeaseState lease) {
    ChainState state = draft.chain(lease.chain());
    TrialGroup group = draft.group(lease.chain()).orElse(null);
    if (!draft.running()
        || group == null
        || !draft.allocation(group).offer().equals(lease.offer())) {
      return;
    }
    draft.doubt("an instance was lost");
    int instances = draft.allocation(group).instances();
    if (state.replaced() >= Math.max(MOST_REPLACED, TIMES_REPLACED * instances)) {
      draft.stop(
          RunOutcome.NO_CAPACITY,
          state.replaced() + " instances were lost in group " + group.name(),
          false);
      return;
    }
    draft.chain(lease.chain(), state.withReplaced(state.replaced() + 1));
    request(draft, lease.chain(), group, lease.offer(), 1);
  }
}
