package io.elastune.executor.decision;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailedNodes;
import io.elastune.executor.decision.model.FailedNodes.FailedNode;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits the cost of a cause that makes every node fail: while nodes have failed and none is ready,
 * one instance at a time is requested.
 */
final class FailedNodeLimit {
  /** The number of failed nodes after which a run stops if none has become ready. */
  static final int MOST_WITHOUT_READY = 3;

  private FailedNodeLimit() {}

  /** Returns how many of {@code count} instances may be requested now. */
  static int allowed(Transition transition, int count) {
    if (!transition.steering().failedNodes().areAll()) {
      return count;
    }
    return transition.leases().stream().anyMatch(FailedNodeLimit::isStarting)
        ? 0
        : Math.min(1, count);
  }

  /** Whether the node of a lease may still become ready. */
  static boolean isStarting(LeaseState lease) {
    return lease.held() && !lease.isReady() && !lease.isLeaving();
  }

  /** Stops a run in which no node can become ready. */
  static void stop(Transition transition) {
    FailedNodes nodes = transition.steering().failedNodes();
    List<FailedNode> named = new ArrayList<>(List.of(nodes.nodes().get(0)));
    nodes.mostFrequent().ifPresent(named::add);
    List<String> details = new ArrayList<>();
    for (FailedNode node : named) {
      details.addAll(List.of(node.lease(), node.failure().step().name(), node.failure().message()));
    }
    transition.stop(
        RunOutcome.TRIALS_FAILED, new DecisionReason(ReasonCode.NO_NODE_READY, details), false);
  }
}
