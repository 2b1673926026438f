package io.elastune.core.timeline;

import io.elastune.core.search.PoolGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chains of trial groups with barriers, each a queue: a group waits for the last trial of the one
 * before. A trial is an index in its group. Which trials continue matters only with places: then
 * those that do have the first indexes in the next group, in the same order.
 */
public final class ChainsRun implements SearchRun {
  /** By chain: the tasks of its groups, by trial. */
  private final Task[][][] tasks;

  /** By chain and group: when it ended. */
  private final double[][] endS;

  // By chain: its present group, trials of it that have not started, and that have not ended.
  private final int[] group;
  private final int[] fresh;
  private final int[] unfinished;

  /** By chain: the trials that wait again. */
  private final BitSet[] interrupted;

  private int interruptions;
  private boolean wasEnded;
  private int active;
  private int groupsEnded;
  private boolean hasGroupPhases;
  private int firstPhase;
  private @Nullable ContinuingTrials continuing;

  /** By chain: further tasks of its first group, which ended before the timeline. */
  private final List<List<Task>> endedBefore = new ArrayList<>();

  /** The units of a group: its trials train from unit {@code from} to unit {@code to}. */
  public record Group(int trials, int from, int to) {}

  /** Chooses the trials that continue. */
  public interface ContinuingTrials {
    /**
     * Returns the trials of a group that continue in the next group of its chain, in their order.
     */
    int[] after(int chain, int group);
  }

  /** Creates the search of some chains, each a list of its groups. */
  public ChainsRun(List<List<Group>> chains) {
    int count = chains.size();
    tasks = new Task[count][][];
    endS = new double[count][];
    group = new int[count];
    fresh = new int[count];
    unfinished = new int[count];
    interrupted = Stream.generate(BitSet::new).limit(count).toArray(BitSet[]::new);
    for (int chain = 0; chain < count; chain++) {
      List<Group> groups = chains.get(chain);
      endedBefore.add(new ArrayList<>());
      tasks[chain] = new Task[groups.size()][];
      endS[chain] = new double[groups.size()];
      for (int of = 0; of < groups.size(); of++) {
        tasks[chain][of] = new Task[groups.get(of).trials()];
        for (int trial = 0; trial < tasks[chain][of].length; trial++) {
          Task task = new Task(chain, trial);
          task.train(of, groups.get(of).from(), groups.get(of).to());
          task.isLast = of == groups.size() - 1;
          tasks[chain][of][trial] = task;
        }
      }
    }
  }

  /** Creates the search of chains whose tasks have no units. */
  public static ChainsRun of(List<List<PoolGroup>> chains) {
    return new ChainsRun(
        chains.stream()
            .map(groups -> groups.stream().map(group -> new Group(group.trials(), 0, 1)).toList())
            .toList());
  }

  /** Lets the groups of the only chain be the phases to which instances are billed. */
  public ChainsRun withGroupPhases() {
    return withGroupPhases(0);
  }

  /** The same with phases from this number on. */
  public ChainsRun withGroupPhases(int first) {
    hasGroupPhases = true;
    firstPhase = first;
    return this;
  }

  /** Lets the places of trials matter, if the timeline knows them. */
  public ChainsRun withPlaces(ContinuingTrials known) {
    continuing = known;
    return this;
  }

  @Override
  public int phase() {
    return hasGroupPhases ? firstPhase + Math.min(group[0], tasks[0].length - 1) : 0;
  }

  @Override
  public void begin() {
    interruptions = 0;
    wasEnded = false;
    groupsEnded = 0;
    active = group.length;
    for (int chain = 0; chain < group.length; chain++) {
      interrupted[chain].clear();
      endedBefore.get(chain).clear();
      for (Task task : tasks[chain][0]) {
        task.earlier = null;
      }
      beginGroup(chain, 0);
    }
  }

  private void beginGroup(int chain, int next) {
    group[chain] = next;
    if (next == tasks[chain].length) {
      fresh[chain] = 0;
      active--;
      return;
    }
    Task[] own = tasks[chain][next];
    fresh[chain] = own.length;
    unfinished[chain] = own.length;
    if (continuing != null && next > 0) {
      int[] trials = continuing.after(chain, next - 1);
      for (int trial = 0; trial < own.length; trial++) {
        own[trial].earlier = trial < trials.length ? task(chain, next - 1, trials[trial]) : null;
      }
    }
  }

  private Task task(int chain, int of, int trial) {
    Task[] own = tasks[chain][of];
    return trial < own.length ? own[trial] : endedBefore.get(chain).get(trial - own.length);
  }

  /**
   * Returns a task that ended before the timeline, which has begun: the one before the first task
   * of a trial.
   *
   * @param trial its index in the first group of a chain
   */
  public Task before(int chain, int trial) {
    Task task = new Task(chain, trial);
    tasks[chain][0][trial].earlier = task;
    return task;
  }

  /**
   * Returns the task of a further trial of the first group of a chain, which ended before the
   * timeline. Its index follows those of the others.
   */
  public Task endedBefore(int chain) {
    List<Task> ended = endedBefore.get(chain);
    Task task = new Task(chain, tasks[chain][0].length + ended.size());
    ended.add(task);
    return task;
  }

  /** Returns the index of the present group of a chain; one more than the last if it has ended. */
  public int group(int chain) {
    return group[chain];
  }

  /** Returns how many groups have ended. */
  int groupsEnded() {
    return groupsEnded;
  }

  /** Returns the trials of the present group of a chain that have not ended. */
  int unfinished(int chain) {
    return unfinished[chain];
  }

  /** Returns the trials of the present group of a chain that may be issued. */
  int issuable(int chain) {
    return fresh[chain] + interrupted[chain].cardinality();
  }

  /** Returns when a group ended, or the search if this was before. */
  public double endS(int chain, int of) {
    return endS[chain][of];
  }

  @Override
  public boolean isFinished() {
    return active == 0;
  }

  @Override
  public int queues() {
    return group.length;
  }

  @Override
  public boolean mayIssue(int queue) {
    return fresh[queue] > 0 || (interruptions > 0 && !interrupted[queue].isEmpty());
  }

  @Override
  public @Nullable Task next(int queue) {
    Task[] own = tasks[queue][group[queue]];
    int again = interruptions == 0 ? -1 : interrupted[queue].nextSetBit(0);
    if (again >= 0) {
      interrupted[queue].clear(again);
      interruptions--;
      return own[again];
    }
    Task task = own[own.length - fresh[queue]--];
    task.train(task.group, task.from, task.to);
    return task;
  }

  @Override
  public boolean ended(Task task, double loss, double nowS) {
    int chain = task.queue;
    unfinished[chain]--;
    if (unfinished[chain] == 0) {
      endS[chain][group[chain]] = nowS;
      groupsEnded++;
      beginGroup(chain, group[chain] + 1);
    }
    return false;
  }

  @Override
  public void interrupted(Task task) {
    interrupted[task.queue].set(task.trial);
    interruptions++;
  }

  /** Whether it ended before its last task, at its target or at its time. */
  public boolean wasEnded() {
    return wasEnded;
  }

  @Override
  public void end(double nowS) {
    wasEnded = true;
    for (int chain = 0; chain < group.length; chain++) {
      Arrays.fill(endS[chain], group[chain], endS[chain].length, nowS);
    }
    active = 0;
  }
}
