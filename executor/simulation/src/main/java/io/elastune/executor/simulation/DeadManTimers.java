package io.elastune.executor.simulation;

import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;

/** Simulates the dead-man timers of the nodes, which work without a controller. */
final class DeadManTimers {
  private final VirtualTime time;
  private final Consumer<SimulatedInstance> ends;
  private int controllers;

  /** Creates the timers; {@code ends} is called when a node shuts itself down. */
  DeadManTimers(VirtualTime time, Consumer<SimulatedInstance> ends) {
    this.time = time;
    this.ends = ends;
  }

  /** Sets the expiry limit of a node until the next one. */
  void set(SimulatedInstance node, NodeExpiryLimit limit) {
    node.limit = limit;
    start(node);
  }

  /** Starts the timer of a node if the node is running. */
  void start(SimulatedInstance node) {
    long end = end(node);
    if (end != SimulatedInstance.NEVER) {
      time.scheduleAt(
          end,
          () -> {
            if (node.isAlive() && end(node) <= time.nanos()) {
              ends.accept(node);
            }
          });
    }
  }

  private long end(SimulatedInstance node) {
    if (node.runningAt == SimulatedInstance.NEVER) {
      return SimulatedInstance.NEVER;
    }
    Instant end = node.limit.expiryOf(node.lease(), time.instantAt(node.runningAt));
    return end.equals(Instant.MAX) ? SimulatedInstance.NEVER : time.nanos(end);
  }

  /** Records that a controller is active and renews the expiry of all nodes. */
  void renew() {
    controllers++;
  }

  /** Records that no controller is active: the nodes shut down after their dead-man time. */
  void stopRenewals(Collection<SimulatedInstance> nodes) {
    int current = controllers;
    for (SimulatedInstance node : nodes) {
      if (node.isAlive()) {
        time.scheduleAt(
            time.nanos() + node.request.deadMan().toNanos(),
            () -> {
              if (node.isAlive() && controllers == current) {
                ends.accept(node);
              }
            });
      }
    }
  }
}
