package io.elastune.core.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungRun;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A search made of rungs, with one queue. Its groups are the rungs, its phases are open and
 * closing, and trials have their numbers, from 1. A {@link Task} that has ended is issued again for
 * another trial.
 */
public final class RungsRun implements SearchRun {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private final RungRule rule;
  private final double newUnitS;
  private final boolean isStopping;
  private final int lastRung;
  private final int[] counts;
  private RungState initial;
  private final RungRun live;

  /** Tasks that stand for nothing now: a search of many trials has few tasks at once. */
  private Task[] unused = new Task[64];

  private int unusedTasks;
  private boolean hasResult;

  /** Whether places matter: then each trial has a task of its own. */
  private boolean knowsPlaces;

  private final Map<Integer, Task> byTrial = new HashMap<>();

  /** Tasks that wait because their attempts were interrupted. */
  private final List<Task> interrupted = new ArrayList<>();

  /**
   * Creates a search.
   *
   * @param newUnitS seconds per unit of a new trial, which decides whether one may still start
   */
  public RungsRun(RungRule rule, RungState initial, double newUnitS) {
    this.rule = rule;
    this.newUnitS = newUnitS;
    isStopping = rule.isStopping();
    lastRung = rule.lastRung();
    this.initial = initial;
    live = new RungRun(rule, initial);
    counts = new int[rule.targets().size()];
  }

  /** Lets the places of trials matter, if the timeline knows them. */
  public RungsRun withPlaces() {
    knowsPlaces = true;
    return this;
  }

  /** Lets the search begin in another state. */
  public void beginsAt(RungState state) {
    initial = state;
  }

  @Override
  public void begin() {
    live.begin(initial);
    interrupted.clear();
    Arrays.fill(counts, 0);
    hasResult = false;
  }

  /** Returns the task of a trial that was issued before and still runs. */
  public Task running(Train train) {
    return issued(train.trial(), train.rung(), train.from(), train.to());
  }

  /** Returns the task of a trial that ended before the timeline, which has begun. */
  public Task before(int trial) {
    return byTrial.computeIfAbsent(trial, number -> new Task(0, number));
  }

  /** Returns by rung how many tasks have started. */
  public int[] counts() {
    return counts;
  }

  /** Whether a trial has reached the target of a rung since the search began. */
  public boolean hasResult() {
    return hasResult;
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
    for (int i = 0; i < interrupted.size(); i++) {
      if (interrupted.get(i).trial == trial) {
        return interrupted.remove(i);
      }
    }
    int rung = live.rung();
    counts[rung]++;
    return issued(trial, rung, live.from(), live.to());
  }

  private Task issued(int trial, int rung, int from, int to) {
    Task task = knowsPlaces ? task(trial, rung, from) : anyTask(trial);
    // In the variant stopping, the trial is compared at the next target.
    task.train(rung, from, isStopping ? rule.target(rung) : to);
    return task;
  }

  private Task anyTask(int trial) {
    Task task = unusedTasks > 0 ? unused[--unusedTasks] : new Task(0, trial);
    task.trial = trial;
    return task;
  }

  /** The task that stands for all tasks of a trial. */
  private Task task(int trial, int rung, int from) {
    Task task = byTrial.computeIfAbsent(trial, number -> new Task(0, number));
    task.earlier = from > 0 ? task : null;
    task.isLast = rung == lastRung;
    return task;
  }

  @Override
  public boolean ended(Task task, double loss, double nowS) {
    int rung = task.group;
    hasResult = true;
    if (!isStopping || rung == lastRung) {
      release(task);
      live.reached(task.trial, loss);
      return false;
    }
    live.reported(task.trial, loss);
    if (live.isRunning(task.trial)) {
      counts[rung + 1]++;
      task.train(rung + 1, rule.target(rung), rule.target(rung + 1));
      return true;
    }
    release(task);
    return false;
  }

  /** Lets a task that has ended stand for the next one that is issued. */
  private void release(Task task) {
    if (knowsPlaces) {
      return;
    }
    if (unusedTasks == unused.length) {
      unused = Arrays.copyOf(unused, 2 * unusedTasks);
    }
    unused[unusedTasks++] = task;
  }

  @Override
  public boolean usesLosses() {
    return true;
  }

  @Override
  public void interrupted(Task task) {
    interrupted.add(task);
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
