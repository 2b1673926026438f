package io.elastune.simulator;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.TaskSource;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * The trials of a search that HyperSched runs, each a task up to the last target. So that a
 * timeline need not consider all of them after every event, only as many wait as can start at once.
 */
final class NewTrials implements TaskSource {
  static final String GROUP = "r";

  private final RungRule rule;
  private final int startable;
  private final IntSupplier started;
  private int issued;

  /**
   * @param startable the trials that must wait so that a decision does not depend on those that
   *     follow: one more than can start at once
   * @param started returns how many trials have started
   */
  NewTrials(RungRule rule, int startable, IntSupplier started) {
    this.rule = rule;
    this.startable = startable;
    this.started = started;
  }

  @Override
  public List<Task> issue(double nowS, int unfinished) {
    int from = issued + 1;
    issued = Math.max(issued, Math.min(rule.trials(), started.getAsInt() + startable));
    return IntStream.rangeClosed(from, issued)
        .mapToObj(trial -> new Task(trial, GROUP, rule.target(rule.lastRung())))
        .toList();
  }
}
