package io.elastune.executor.decision;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.List;
import java.util.Optional;

/**
 * Requests the instances that a group lacks at its start, and releases those that the next group
 * does not need as soon as they are idle (docs/model.md, "Money").
 */
final class ClusterManager {
  private ClusterManager() {}

  /** Requests the instances that {@code allocation} lacks, and returns how many. */
  static int requestMissing(
      Transition transition, int chain, TrialGroup group, Allocation allocation) {
    int held = transition.held(chain, allocation.offer()).size();
    int missing = needed(transition, chain, group, allocation) - held;
    return request(transition, chain, group, allocation.offer(), missing);
  }

  /**
   * Instances that a group needs: those of {@code allocation}, or fewer if trials of its chain have
   * ended early.
   */
  static int needed(Transition transition, int chain, TrialGroup group, Allocation allocation) {
    if (SharedPool.handles(transition)) {
      return SharedPool.needed(transition);
    }
    if (RungPool.handles(transition)) {
      return RungPool.needed(transition, allocation);
    }
    if (transition.definition.dividesInstances()) {
      return allocation.instances();
    }
    int trials = transition.chain(chain).trialsToTrain(group, transition.trials());
    return trials == group.trials()
        ? allocation.instances()
        : Math.min(
            allocation.instances(),
            PlacementController.instancesFor(transition, allocation, trials) + allocation.spare());
  }

  /**
   * Requests the instances that the remaining trials of the group in progress need, up to the
   * plan's number.
   */
  static void requestForRemaining(Transition transition, int chain) {
    Optional<TrialGroup> group = transition.group(chain);
    boolean moves = transition.steering().moving().contains(chain);
    if (!transition.running() || group.isEmpty() || moves) {
      return;
    }
    Allocation allocation = transition.allocation(group.get());
    if (RungPool.handles(transition)) {
      request(transition, chain, group.get(), allocation.offer(), RungPool.missing(transition));
      return;
    }
    if (SharedPool.handles(transition)) {
      request(transition, chain, group.get(), allocation.offer(), SharedPool.missing(transition));
      return;
    }
    if (transition.definition.dividesInstances()) {
      requestMissing(transition, chain, group.get(), allocation);
      return;
    }
    int trials = transition.chain(chain).waiting().size() + transition.attemptsOf(chain).size();
    int instances = PlacementController.instancesFor(transition, allocation, trials);
    int missing =
        Math.min(allocation.instances(), instances + allocation.spare())
            - transition.held(chain, allocation.offer()).size();
    request(transition, chain, group.get(), allocation.offer(), missing);
  }

  /** Requests the instances of a pool that the chain, or all chains, that use it lack. */
  static void requestForPool(Transition transition, int pool) {
    requestForRemaining(
        transition, SharedPool.handles(transition) ? SharedPool.firstChain(transition) : pool);
  }

  /**
   * Requests up to {@code most} more instances if the budget allows it, and returns how many. While
   * nodes fail and none is ready, they are fewer.
   */
  static int request(Transition transition, int chain, TrialGroup group, String offer, int most) {
    int count = FailedNodeLimit.allowed(transition, most);
    if (count <= 0 || !LimitWatchdog.budgetAllowsRequest(transition, offer, count)) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      request(transition, chain, group, offer);
    }
    return count;
  }

  private static void request(Transition transition, int chain, TrialGroup group, String offer) {
    int number = transition.leases().size() + 1;
    String lease = transition.definition.run() + "-" + number;
    double usdPerHour = transition.snapshot().usdPerHour(transition.definition, offer);
    LeaseState requested =
        LeaseState.requested(
            lease, number, transition.pool(chain), group.name(), offer, usdPerHour, transition.now);
    transition.put(
        transition.clock().isStill(transition.now)
            ? requested.byEarlierClock(transition.aheadS(requested))
            : requested);
    transition.command(new Command.RequestInstance(lease, offer));
  }

  /**
   * Releases idle instances that the next group does not need, once the last trial of a group has
   * started: first those that are not ready, then by descending number. Spare instances are kept
   * until its last trial has ended.
   */
  static void releaseSurplus(Transition transition, int chain) {
    ChainState state = transition.chain(chain);
    boolean moreToStart =
        !state.waiting().isEmpty()
            || transition.attemptsOf(chain).stream().anyMatch(AttemptState::needsAnotherSlot);
    if (!transition.running()
        || state.started().isEmpty()
        || moreToStart
        || SharedPool.handles(transition)) {
      return;
    }
    List<TrialGroup> groups = transition.chainDefinition(chain).groups();
    boolean ended = state.group() >= groups.size();
    if (transition.holdsInstances() && !ended) {
      return;
    }
    List<LeaseState> idle = idle(transition, chain);
    int left = idle.size();
    int spare = spare(transition, chain);
    for (LeaseState lease : idle) {
      if (left > spare && surplus(transition, chain, lease.offer()) > 0) {
        transition.release(lease, ReasonCode.RELEASED_IDLE);
        left--;
      }
    }
  }

  /** Idle instances that the group in progress keeps, as long as any of its trials runs. */
  private static int spare(Transition transition, int chain) {
    return transition.hasAttempts(chain)
        ? transition.group(chain).map(group -> transition.allocation(group).spare()).orElse(0)
        : 0;
  }

  /** Idle instances in the order of their release. */
  private static List<LeaseState> idle(Transition transition, int chain) {
    return transition.leases().stream()
        .filter(
            lease -> lease.pool() == chain && lease.held() && !transition.occupied(lease.lease()))
        .map(lease -> new IdleInstance(0, lease.isReady(), lease.number()))
        .sorted()
        .map(idle -> transition.lease(idle.instance()))
        .toList();
  }

  private static int surplus(Transition transition, int chain, String offer) {
    List<TrialGroup> groups = transition.chainDefinition(chain).groups();
    ChainState state = transition.chain(chain);
    int need = 0;
    if (state.group() + 1 < groups.size()) {
      TrialGroup group = groups.get(state.group() + 1);
      Allocation next = transition.allocation(group);
      need = next.offer().equals(offer) ? needed(transition, chain, group, next) : 0;
    }
    return IdleInstance.surplus(transition.held(chain, offer).size(), need);
  }

  /**
   * Whether a chain holds and waits for less than a single trial needs, and is not changing its
   * allocation.
   */
  static boolean isStranded(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      if (isStranded(transition, chain)) {
        return true;
      }
    }
    return false;
  }

  static boolean isStranded(Transition transition, int chain) {
    TrialGroup group = transition.group(chain).orElse(null);
    boolean moves = transition.steering().moving().contains(chain);
    return group != null && !moves && isStranded(transition, chain, group);
  }

  /**
   * Whether {@code chain} holds and waits for less than a single trial of {@code group} needs, and
   * no request is deferred.
   */
  static boolean isStranded(Transition transition, int chain, TrialGroup group) {
    Allocation allocation = transition.allocation(group);
    int held = transition.held(chain, allocation.offer()).size();
    return held < PlacementController.teamSize(transition, allocation)
        && !transition.steering().answers().requestDeferred();
  }
}
