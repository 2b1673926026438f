package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.OfferAvailability;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.RefusalReason;
import java.util.List;

/** Replaces instances that are lost, up to a limit in each group. */
final class LostInstances {
  /** Minimum limit of replacements for lost instances in one group. */
  private static final int MIN_REPLACEMENT_LIMIT = 5;

  /** The same limit as a multiple of the group's instances: all may be preempted at once. */
  private static final int REPLACEMENTS_PER_INSTANCE = 3;

  private LostInstances() {}

  /**
   * Releases an instance that is no longer usable, and requests a replacement.
   *
   * @param why a reason whose only detail is the lease
   */
  static void replaceInstance(Transition transition, LeaseState lease, ReasonCode why) {
    replaceInstances(transition, List.of(lease), why);
  }

  /**
   * Releases instances of one chain that are no longer usable for one and the same cause, and
   * requests replacements. They count as a single loss: of a team that cannot be reached, at least
   * one instance is lost.
   */
  static void replaceInstances(Transition transition, List<LeaseState> leases, ReasonCode why) {
    for (LeaseState lease : leases) {
      Supervisor.endAttemptsOn(transition, lease.lease());
      transition.release(lease, why);
    }
    if (!leases.isEmpty()) {
      replace(transition, leases);
    }
  }

  private static void replace(Transition transition, List<LeaseState> leases) {
    LeaseState first = leases.get(0);
    int chain = SharedPool.handles(transition) ? SharedPool.firstChain(transition) : first.pool();
    TrialGroup group = transition.group(chain).orElse(null);
    if (!transition.running()
        || group == null
        || !transition.allocation(group).offer().equals(first.offer())) {
      return;
    }
    transition.doubt(ReplanReason.of(ReplanReason.Cause.INSTANCE_LOST));
    int instances = transition.allocation(group).instances();
    if (!isNeeded(transition, first, instances) || !countLoss(transition, chain, group, first)) {
      return;
    }
    for (LeaseState lease : leases) {
      if (isNeeded(transition, lease, instances)) {
        ClusterManager.request(transition, chain, group, first.offer(), 1);
      }
    }
  }

  /** Counts a loss, and returns whether a replacement may be requested. */
  private static boolean countLoss(
      Transition transition, int chain, TrialGroup group, LeaseState lease) {
    ChainState state = transition.chain(chain);
    int instances = transition.allocation(group).instances();
    if (state.replaced() < Math.max(MIN_REPLACEMENT_LIMIT, REPLACEMENTS_PER_INSTANCE * instances)) {
      transition.chain(chain, state.withReplaced(state.replaced() + 1));
      return true;
    }
    if (hasOtherOffer(transition, lease)) { // such as the same type on demand
      markUnavailable(transition, lease, state.replaced());
    } else if (lease.failedStep().isEmpty() || hasLostMost(transition, lease, group)) {
      transition.stop(
          RunOutcome.NO_CAPACITY,
          DecisionReason.of(
              ReasonCode.TOO_MANY_INSTANCES_LOST, Integer.toString(state.replaced()), group.name()),
          false);
    } else if (ClusterManager.isStranded(transition, lease.pool(), group)) {
      FailedNodeLimit.stop(transition);
    } // otherwise the group continues with the instances that work
    return false;
  }

  /** Whether the last instance failed before it was ready, and most others were lost later. */
  private static boolean hasLostMost(Transition transition, LeaseState lease, TrialGroup group) {
    return ClusterManager.isStranded(transition, lease.pool(), group)
        && transition.steering().failedNodes().nodes().size() < FailedNodeLimit.MOST_WITHOUT_READY;
  }

  /** Whether the run may use another offer, and has no reason to regard all of them as refused. */
  private static boolean hasOtherOffer(Transition transition, LeaseState lease) {
    return ReplanTrigger.isEnabled(transition)
        && !SharedPool.handles(transition) // a pool keeps its offer
        && !RungPool.handles(transition)
        && transition.definition.offers().keySet().stream()
            .filter(offer -> !offer.equals(lease.offer()))
            .anyMatch(offer -> !ReplanTrigger.refused(transition).containsKey(offer));
  }

  /** Treats an offer of which too many instances were lost like one without capacity. */
  private static void markUnavailable(Transition transition, LeaseState lease, int lost) {
    OfferAvailability market =
        transition
            .steering()
            .market()
            .refused(
                lease.offer(),
                new OfferAvailability.RefusedOffer(
                    transition.now,
                    RefusalReason.CAPACITY,
                    lost + " of its instances were lost in one group"));
    transition.steering(transition.steering().with(market));
    transition.doubt(new ReplanReason(ReplanReason.Cause.OFFER_UNAVAILABLE, lease.offer()));
  }

  /**
   * Whether a released instance must be replaced. After the group was re-planned to fewer
   * instances, those left may be enough.
   */
  private static boolean isNeeded(Transition transition, LeaseState lease, int instances) {
    if (SharedPool.handles(transition)) {
      return SharedPool.missing(transition) > 0;
    }
    return RungPool.handles(transition)
        ? RungPool.missing(transition) > 0
        : transition.held(lease.pool(), lease.offer()).size() < instances;
  }
}
