package io.elastune.executor.world;

import io.elastune.provisioner.LifeLimit;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;

/** Simulates the dead-man timers of the nodes, which work without a controller. */
final class DeadManTimers {
  private final Timeline time;
  private final Consumer<Instance> ends;
  private int controllers;

  /** Creates the timers; {@code ends} is called when a node shuts itself down. */
  DeadManTimers(Timeline time, Consumer<Instance> ends) {
    this.time = time;
    this.ends = ends;
  }

  /** Sets the expiry limit of a node until the next one. */
  void set(Instance node, LifeLimit limit) {
    node.limit = limit;
    start(node);
  }

  /** Starts the timer of a node if the node is running. */
  void start(Instance node) {
    long end = end(node);
    if (end != Instance.NEVER) {
      time.at(
          end,
          () -> {
            if (node.alive() && end(node) <= time.nanos()) {
              ends.accept(node);
            }
          });
    }
  }

  private long end(Instance node) {
    if (node.runningAt == Instance.NEVER) {
      return Instance.NEVER;
    }
    Instant end = node.limit.endOf(node.lease(), time.moment(node.runningAt));
    return end.equals(Instant.MAX) ? Instance.NEVER : time.nanos(end);
  }

  /** Records that a controller is active and renews the expiry of all nodes. */
  void attended() {
    controllers++;
  }

  /** Records that no controller is active: the nodes shut down after their dead-man time. */
  void unattended(Collection<Instance> nodes) {
    int current = controllers;
    for (Instance node : nodes) {
      if (node.alive()) {
        time.at(
            time.nanos() + node.request.deadMan().toNanos(),
            () -> {
              if (node.alive() && controllers == current) {
                ends.accept(node);
              }
            });
      }
    }
  }
}
