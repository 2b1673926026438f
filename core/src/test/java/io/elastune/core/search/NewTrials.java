package io.elastune.core.search;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.TaskSource;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The trials of a search that HyperSched runs, each a task up to the last target. So that a policy
 * need not consider all of them after every event, only as many wait as can start at once.
 */
public final class NewTrials implements TaskSource {
  /** The name of the group of all trials. */
  public static final String GROUP = "r";

  private final RungRule rule;
  private final int gpus;
  private final IntSupplier started;
  private List<Task> begun;
  private int issued;

  /**
   * Creates the source of a search that begins.
   *
   * @param gpus the GPUs of the cluster
   * @param started returns how many trials have started
   */
  public NewTrials(RungRule rule, int gpus, IntSupplier started) {
    this(rule, gpus, started, List.of(), 0);
  }

  /**
   * Creates the source of a search that has begun.
   *
   * @param begun tasks of trials that have started
   * @param last the trial after which new ones start
   */
  public NewTrials(RungRule rule, int gpus, IntSupplier started, List<Task> begun, int last) {
    this.rule = rule;
    this.gpus = gpus;
    this.started = started;
    this.begun = List.copyOf(begun);
    issued = last;
  }

  /**
   * Returns the last of the trials that must be able to start so that a decision does not depend on
   * those that follow: one more than can start at once.
   *
   * @param started trials that have started
   * @param gpus the GPUs of the cluster
   */
  public static int lastStartable(RungRule rule, int started, int gpus) {
    return Math.min(rule.trials(), started + gpus + 1);
  }

  @Override
  public List<Task> issue(double nowS, int unfinished) {
    int from = issued + 1;
    issued = Math.max(issued, lastStartable(rule, started.getAsInt(), gpus));
    Stream<Task> fresh =
        IntStream.rangeClosed(from, issued)
            .mapToObj(trial -> new Task(trial, GROUP, rule.target(rule.lastRung())));
    List<Task> tasks = Stream.concat(begun.stream(), fresh).toList();
    begun = List.of();
    return tasks;
  }
}
