package io.elastune.executor.world;

import io.elastune.provisioner.LifeLimit;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;

/** What each node has of its own to end by: it needs no controller for it. */
final class DeadManTimers {
  private final Timeline time;
  private final Consumer<Instance> ends;
  private int controllers;

  /** {@code ends}: a node that is alive ends itself. */
  DeadManTimers(Timeline time, Consumer<Instance> ends) {
    this.time = time;
    this.ends = ends;
  }

  /** By when a node is to have ended unless it hears of another limit. */
  void set(Instance node, LifeLimit limit) {
    node.limit = limit;
    start(node);
  }

  /** Sets a node's timer, if it runs: before it cannot end itself. */
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

  /** A controller has been heard of, and keeps nodes alive. */
  void attended() {
    controllers++;
  }

  /** Nobody keeps nodes alive any more: they end themselves when their time has come. */
  void unattended(Collection<Instance> nodes) {
    int mine = controllers;
    for (Instance node : nodes) {
      if (node.alive()) {
        time.at(
            time.nanos() + node.request.deadMan().toNanos(),
            () -> {
              if (node.alive() && controllers == mine) {
                ends.accept(node);
              }
            });
      }
    }
  }
}
