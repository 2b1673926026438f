package io.elastune.executor.ray;

import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reports when an attempt loses contact to the first of its nodes, and when it has contact to all
 * of them again.
 */
final class NodeContact {
  private final String attempt;
  private final RayContext context;
  private final Set<String> unreachable = new TreeSet<>();

  NodeContact(String attempt, RayContext context) {
    this.attempt = attempt;
    this.context = context;
  }

  /** There is no contact to the node of a lease since {@code since}. */
  void lost(String lease, Instant since) {
    if (unreachable.add(lease) && unreachable.size() == 1) {
      context.post(new EngineEvent.Unreachable(attempt, since, context.now()));
    }
  }

  /** There is contact to the node of a lease again. */
  void found(String lease) {
    if (unreachable.remove(lease) && unreachable.isEmpty()) {
      context.post(new EngineEvent.Reachable(attempt, context.now()));
    }
  }
}
