package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailedNodes;
import io.elastune.executor.decision.model.FailedNodes.FailedNode;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.provisioner.PreparationFailure;
import java.util.Map;

/**
 * Handles nodes that cannot become ready. One bad node is replaced. If no node has become ready,
 * all may fail alike, such as by a typo in the setup: then one node at a time is requested, and the
 * run stops after {@value FailedNodeLimit#MOST_WITHOUT_READY} nodes (docs/rented-nodes.md).
 */
final class NodeFailures {
  private NodeFailures() {}

  /** Releases a node that cannot become ready, and replaces it or stops the run. */
  static void failed(Transition transition, LeaseState lease, PreparationFailure failure) {
    FailedNodes nodes = nodes(transition).with(new FailedNode(lease.lease(), failure));
    transition.steering(transition.steering().with(nodes));
    record(transition, lease, failure);
    LeaseState failed = lease.failed(failure.step());
    transition.put(failed);
    if (nodes.anyReady()) {
      LostInstances.replaceInstance(transition, failed, ReasonCode.RELEASED_UNUSABLE);
      return;
    }
    transition.release(failed, ReasonCode.RELEASED_UNUSABLE);
    if (nodes.nodes().size() >= FailedNodeLimit.MOST_WITHOUT_READY) {
      FailedNodeLimit.stop(transition);
    } else if (transition.running()) {
      withdrawRequests(transition);
      requestForAllPools(transition);
    }
  }

  private static void record(Transition transition, LeaseState lease, PreparationFailure failure) {
    FailedNodes nodes = nodes(transition);
    double usd = Ledger.of(transition.definition, transition.snapshot()).leaseUsd(lease);
    transition.recordDecision(
        DecisionKind.NODE_FAILED,
        DecisionReason.of(
            nodes.anyReady() ? ReasonCode.NODE_FAILED : ReasonCode.NODE_FAILED_AND_NONE_READY,
            lease.lease(),
            failure.step().name(),
            failure.message()),
        Map.of(
            "failed_nodes",
            (double) nodes.nodes().size(),
            "failed_nodes_limit",
            (double) FailedNodeLimit.MOST_WITHOUT_READY,
            "lost_usd",
            usd));
  }

  /** Releases the instances that are requested and not launched, except one if none is booting. */
  private static void withdrawRequests(Transition transition) {
    boolean isOneKept =
        transition.leases().stream()
            .anyMatch(
                lease ->
                    FailedNodeLimit.isStarting(lease) && lease.phase() != LeaseState.Phase.PENDING);
    for (LeaseState lease : transition.leases()) {
      if (lease.phase() == LeaseState.Phase.PENDING) {
        if (isOneKept) {
          transition.release(lease, ReasonCode.RELEASED_UNTRIED);
        }
        isOneKept = true;
      }
    }
  }

  private static void requestForAllPools(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      if (!transition.steering().market().waits().containsKey(transition.pool(chain))) {
        ClusterManager.requestForRemaining(transition, chain);
      }
    }
  }

  /** Records that a node is ready, and requests the instances that earlier failures held back. */
  static void ready(Transition transition) {
    FailedNodes nodes = nodes(transition);
    if (nodes.anyReady()) {
      return;
    }
    transition.steering(transition.steering().with(nodes.ready()));
    if (nodes.areAll()) {
      requestForAllPools(transition);
    }
  }

  private static FailedNodes nodes(Transition transition) {
    return transition.steering().failedNodes();
  }
}
