package io.elastune.core.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungRun;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A search made of rungs, with one queue. Its groups are the rungs, its phases are open and
 * closing, and trials have their numbers, from 1.
 */
public final class RungsRun implements SearchRun {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private final RungRule rule;
  private final double newUnitS;
  private final boolean isStopping;
  private final int[] counts;
  private RungState initial;
  private RungRun live;
  private Task[] tasks = new Task[64];

  /** By trial: whether its task was issued and has not ended. */
  private boolean[] isIssued = new boolean[64];

  /**
   * Creates a search.
   *
   * @param newUnitS seconds per unit of a new trial, which decides whether one may still start
   */
  public RungsRun(RungRule rule, RungState initial, double newUnitS) {
    this.rule = rule;
    this.newUnitS = newUnitS;
    isStopping = rule.isStopping();
    this.initial = initial;
    live = new RungRun(rule, initial);
    counts = new int[rule.targets().size()];
  }

  /** Lets the search begin in another state. */
  public void beginsAt(RungState state) {
    initial = state;
  }

  @Override
  public void begin() {
    live = new RungRun(rule, initial);
    Arrays.fill(isIssued, false);
    Arrays.fill(counts, 0);
  }

  /** Returns the task of a trial that was issued before and still runs. */
  public Task running(Train train) {
    return issued(train.trial(), train.rung(), train.from(), train.to());
  }

  /** Returns by rung how many tasks have started. */
  public int[] counts() {
    return counts;
  }

  /** Returns the number of trials that have started. */
  public int begun() {
    return live.begun();
  }

  /** Whether new trials may start. */
  public boolean isOpen() {
    return live.phase() == RungState.Phase.OPEN;
  }

  /** Returns the number of results that may be promoted now. */
  int promotable() {
    return live.promotable();
  }

  /** Returns the number of tasks that run or may be issued now, besides new trials. */
  int demand() {
    return live.running() + live.promotable();
  }

  @Override
  public boolean isFinished() {
    return live.phase() == RungState.Phase.FINISHED;
  }

  @Override
  public int queues() {
    return 1;
  }

  @Override
  public boolean mayIssue(int queue) {
    return !isFinished();
  }

  @Override
  public @Nullable Task next(int queue) {
    if (!live.next()) {
      return null;
    }
    int trial = live.trial();
    if (trial < isIssued.length && isIssued[trial]) {
      return tasks[trial]; // it was interrupted
    }
    int rung = live.rung();
    counts[rung]++;
    return issued(trial, rung, live.from(), live.to());
  }

  private Task issued(int trial, int rung, int from, int to) {
    if (trial >= tasks.length) {
      tasks = Arrays.copyOf(tasks, Math.max(trial + 1, 2 * tasks.length));
      isIssued = Arrays.copyOf(isIssued, tasks.length);
    }
    Task task = tasks[trial];
    if (task == null) {
      task = new Task(0, trial);
      tasks[trial] = task;
    }
    isIssued[trial] = true;
    // In the variant stopping, the trial is compared at the next target.
    task.train(rung, from, isStopping ? rule.target(rung) : to);
    return task;
  }

  @Override
  public boolean ended(Task task, double loss, double nowS) {
    int rung = task.group;
    if (!isStopping || rung == rule.lastRung()) {
      isIssued[task.trial] = false;
      live.reached(task.trial, loss);
      return false;
    }
    live.reported(task.trial, loss);
    if (live.isRunning(task.trial)) {
      counts[rung + 1]++;
      task.train(rung + 1, rule.target(rung), rule.target(rung + 1));
      return true;
    }
    isIssued[task.trial] = false;
    return false;
  }

  @Override
  public boolean usesLosses() {
    return true;
  }

  @Override
  public void interrupted(Task task) {
    live.interrupt(task.trial);
  }

  @Override
  public boolean closeIfLate(double leftS) {
    if (!isOpen() || live.admits(leftS, newUnitS)) {
      return false;
    }
    live.closeNow();
    return true;
  }

  @Override
  public void end(double nowS) {
    live.end();
  }

  @Override
  public int phase() {
    return isOpen() ? OPEN : CLOSING;
  }
}
