package io.elastune.core.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Plays chains of trial groups that share instances, event by event, in seconds (docs/searches.md,
 * "Shared instances"). Events are handled one at a time by (time rounded to 1 ns; instances by
 * number before tasks; tasks in the order of their start). After each: end what ended, start what
 * fits, release. Not thread-safe; one object plays once.
 */
public final class PoolTimeline {
  /** The durations of tasks. */
  public interface Durations {
    /**
     * Returns the seconds of a task, start-up included.
     *
     * @param trial its index in the group
     */
    double seconds(int chain, int group, int trial, int instance);

    /**
     * Returns the seconds from the start of a task to the report that ends the search; infinite if
     * it has none.
     *
     * @param trial its index in the group
     * @param seconds those of the task
     */
    default double targetS(int chain, int group, int trial, double seconds) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** By instance: when it was released. */
  public final double[] releasedS;

  /** By instance: seconds in which a task ran on it. */
  public final double[] usedS;

  /** By instance: the same, weighted by the fraction of its GPUs in use. */
  public final double[] busyS;

  /** By chain and group: when it ended. */
  public final double[][] endS;

  /** By chain and group: the GPU-seconds of its tasks. */
  public final double[][] gpuSeconds;

  private final List<List<PoolGroup>> chains;
  private final int gpusPerInstance;
  private final boolean hold;
  private final Durations durations;
  private final double[][] pathS;
  // By chain and group: the most GPUs of later groups.
  private final double[][] laterGpus;
  // By chain: its present group, and tasks of it that wait, or that have not ended.
  private final int[] group;
  private final int[] waiting;
  private final int[] unfinished;
  // The chains, the one with the longest remaining path first.
  private final int[] order;
  private final long[] taken;
  private final double[] changedS;
  // By chain: the GPUs that it needs at once from now on.
  private final double[] demand;

  /** The free GPUs of instances that are held and ready. */
  private int freeGpus;

  private final boolean[] held;
  private final boolean[] ready;
  private final double[] readyS;
  private final PoolPlacement placement;
  // By chain and group: GPUs of a task, and tasks that fit on an instance.
  private final int[][] gpus;
  private final int[][] perInstance;
  // The tasks in the order of their start: their components as in PoolTask.
  private final int[] taskChain;
  private final int[] taskGroup;
  private final int[] taskTrial;
  private final int[] taskInstance;
  private final int[] taskGpu;
  private final int[] taskGpus;
  private final double[] taskStartS;
  private final double[] taskEndS;
  private int started;

  /** Instances that become ready, by number, and tasks that end, by number after the instances. */
  private final MomentHeap events = new MomentHeap();

  private final PoolPlacement.Starts starts = this::start;
  private double nowS;
  private int heldCount;
  private int activeChains;
  private double targetS = Double.POSITIVE_INFINITY;

  /**
   * Creates the timeline of chains that start with their first groups.
   *
   * @param gpusPerInstance at most {@link PoolPlacement#MOST_GPUS}
   * @param hold whether no instance is released before the end
   * @param readyS by instance: when it is ready
   */
  public PoolTimeline(
      List<List<PoolGroup>> chains,
      int gpusPerInstance,
      boolean hold,
      double[] readyS,
      Durations durations) {
    this.chains = chains;
    this.gpusPerInstance = gpusPerInstance;
    this.hold = hold;
    this.durations = durations;
    int instances = readyS.length;
    heldCount = instances;
    releasedS = new double[instances];
    usedS = new double[instances];
    busyS = new double[instances];
    taken = new long[instances];
    changedS = new double[instances];
    held = new boolean[instances];
    ready = new boolean[instances];
    this.readyS = readyS.clone();
    placement = new PoolPlacement(gpusPerInstance, taken, held, ready);
    gpus = new int[chains.size()][];
    perInstance = new int[chains.size()][];
    endS = new double[chains.size()][];
    gpuSeconds = new double[chains.size()][];
    pathS = new double[chains.size()][];
    group = new int[chains.size()];
    laterGpus = new double[chains.size()][];
    waiting = new int[chains.size()];
    unfinished = new int[chains.size()];
    demand = new double[chains.size()];
    order = IntStream.range(0, chains.size()).toArray();
    activeChains = chains.size();
    int tasks = 0;
    for (int chain = 0; chain < chains.size(); chain++) {
      addChain(chain, chains.get(chain));
      for (PoolGroup each : chains.get(chain)) {
        tasks += each.trials();
      }
    }
    taskChain = new int[tasks];
    taskGroup = new int[tasks];
    taskTrial = new int[tasks];
    taskInstance = new int[tasks];
    taskGpu = new int[tasks];
    taskGpus = new int[tasks];
    taskStartS = new double[tasks];
    taskEndS = new double[tasks];
    sortChains();
    for (int i = 0; i < instances; i++) {
      held[i] = true;
      events.add(MomentHeap.ns(readyS[i]), i);
    }
  }

  private void addChain(int chain, List<PoolGroup> groups) {
    int count = groups.size();
    endS[chain] = new double[count];
    gpuSeconds[chain] = new double[count];
    pathS[chain] = new double[count + 1];
    laterGpus[chain] = new double[count];
    gpus[chain] = new int[count];
    perInstance[chain] = new int[count];
    for (int i = count - 1; i >= 0; i--) {
      pathS[chain][i] = pathS[chain][i + 1] + groups.get(i).taskS();
      gpus[chain][i] = groups.get(i).gpus();
      perInstance[chain][i] = gpusPerInstance / groups.get(i).gpus();
      if (i > 0) {
        double gpus = PoolRules.demandGpus(groups.get(i), groups.get(i).trials(), gpusPerInstance);
        laterGpus[chain][i - 1] = Math.max(laterGpus[chain][i], gpus);
      }
    }
    waiting[chain] = groups.get(0).trials();
    unfinished[chain] = waiting[chain];
    updateDemand(chain);
  }

  /**
   * Adds a task of the first group of a chain that already runs. Its index in the group is below
   * those of all tasks that have not started. To be called before {@link #run}.
   *
   * @param leftS seconds until it ends
   */
  public void addRunning(int chain, int instance, int firstGpu, int gpus, double leftS) {
    taken[instance] |= PoolPlacement.mask(firstGpu, gpus);
    gpuSeconds[chain][0] += leftS * gpus;
    begin(chain, instance, firstGpu, gpus, leftS);
  }

  /** Notes that the next waiting task of a chain starts now, and when it ends. */
  private void begin(int chain, int instance, int firstGpu, int width, double endsS) {
    int task = started++;
    taskChain[task] = chain;
    taskGroup[task] = group[chain];
    taskTrial[task] = nextTrial(chain);
    taskInstance[task] = instance;
    taskGpu[task] = firstGpu;
    taskGpus[task] = width;
    taskStartS[task] = nowS;
    taskEndS[task] = endsS;
    waiting[chain]--;
    events.add(MomentHeap.ns(endsS), readyS.length + task);
  }

  /** The index of the next waiting task in its group. */
  private int nextTrial(int chain) {
    return chains.get(chain).get(group[chain]).trials() - waiting[chain];
  }

  /** Returns the tasks that have started, in this order. */
  public List<PoolTask> tasks() {
    List<PoolTask> tasks = new ArrayList<>(started);
    for (int task = 0; task < started; task++) {
      tasks.add(
          new PoolTask(
              taskChain[task],
              taskGroup[task],
              taskTrial[task],
              taskInstance[task],
              taskGpu[task],
              taskGpus[task],
              taskStartS[task],
              taskEndS[task]));
    }
    return tasks;
  }

  /** Plays to the end of the last chain or of the search, and returns its time. */
  public double run() {
    while (activeChains > 0) {
      if (reachesTarget()) {
        nowS = targetS;
        discard();
        break;
      }
      if (events.isEmpty()) {
        throw new IllegalStateException("tasks wait, but no instance is left for them");
      }
      int next = events.poll();
      if (next < readyS.length) {
        nowS = readyS[next];
        ready[next] = true;
        freeGpus += held[next] ? gpusPerInstance - Long.bitCount(taken[next]) : 0;
      } else {
        nowS = taskEndS[next - readyS.length];
        end(next - readyS.length);
      }
      serve();
      release();
    }
    for (int i = 0; i < held.length; i++) {
      if (held[i]) {
        account(i, taken[i]);
        releasedS[i] = nowS;
      }
    }
    return nowS;
  }

  /** Whether a trial reports the target before the next event, or at the same time. */
  private boolean reachesTarget() {
    return targetS < Double.POSITIVE_INFINITY
        && (events.isEmpty() || events.firstNs() >= MomentHeap.ns(targetS));
  }

  /** Ends all tasks and groups because the search ends. */
  private void discard() {
    for (int task = 0; task < started; task++) {
      if (taskEndS[task] > nowS) {
        gpuSeconds[taskChain[task]][taskGroup[task]] -= (taskEndS[task] - nowS) * taskGpus[task];
        taskEndS[task] = nowS;
      }
    }
    for (int chain = 0; chain < group.length; chain++) {
      Arrays.fill(endS[chain], group[chain], endS[chain].length, nowS);
    }
  }

  private void end(int task) {
    int chain = taskChain[task];
    int instance = taskInstance[task];
    account(instance, taken[instance]);
    taken[instance] &= ~PoolPlacement.mask(taskGpu[task], taskGpus[task]);
    freeGpus += ready[instance] ? taskGpus[task] : 0;
    unfinished[chain]--;
    if (unfinished[chain] > 0) {
      updateDemand(chain);
      return;
    }
    endS[chain][group[chain]] = nowS;
    group[chain]++;
    if (group[chain] == endS[chain].length) {
      waiting[chain] = 0;
      activeChains--;
    } else {
      waiting[chain] = chains.get(chain).get(group[chain]).trials();
      unfinished[chain] = waiting[chain];
      sortChains();
    }
    updateDemand(chain);
  }

  /** Sorts the chains by their remaining path, the longest first; the order is stable. */
  private void sortChains() {
    for (int i = 1; i < order.length; i++) {
      int chain = order[i];
      int place = i;
      while (place > 0 && goesFirst(chain, order[place - 1])) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = chain;
    }
  }

  private boolean goesFirst(int chain, int other) {
    return PoolRules.goesFirst(
        pathS[chain][group[chain]], chain, pathS[other][group[other]], other);
  }

  private void serve() {
    placement.begin();
    for (int chain : order) {
      if (waiting[chain] > 0) {
        if (freeGpus == 0) {
          return;
        }
        placement.place(chain, waiting[chain], gpus[chain][group[chain]], starts);
      }
    }
  }

  private void start(int chain, int instance, int firstGpu, int width) {
    // The task takes its GPUs now, when they have been marked as taken.
    account(instance, taken[instance] & ~PoolPlacement.mask(firstGpu, width));
    freeGpus -= width;
    int of = group[chain];
    int trial = nextTrial(chain);
    double seconds = durations.seconds(chain, of, trial, instance);
    gpuSeconds[chain][of] += seconds * width;
    targetS = Math.min(targetS, nowS + durations.targetS(chain, of, trial, seconds));
    begin(chain, instance, firstGpu, width, nowS + seconds);
  }

  /**
   * Adds the time since the last change on an instance to its work.
   *
   * @param used the GPUs that were in use until now
   */
  private void account(int instance, long used) {
    double seconds = nowS - changedS[instance];
    if (used != 0 && seconds > 0) {
      usedS[instance] += seconds;
      busyS[instance] += seconds * Long.bitCount(used) / gpusPerInstance;
    }
    changedS[instance] = nowS;
  }

  /** Releases idle instances that the chains do not need, the highest number first. */
  private void release() {
    if (hold) {
      return;
    }
    double demandGpus = 0;
    for (double gpusOfChain : demand) {
      demandGpus += gpusOfChain;
    }
    if (PoolRules.needsAll(demandGpus, heldCount, gpusPerInstance)) {
      return;
    }
    int kept = PoolRules.keptInstances(demandGpus, gpusPerInstance);
    for (int i = held.length - 1; i >= 0 && heldCount > kept; i--) {
      if (held[i] && taken[i] == 0) {
        account(i, 0);
        held[i] = false;
        releasedS[i] = nowS;
        heldCount--;
        freeGpus -= ready[i] ? gpusPerInstance : 0;
      }
    }
  }

  /** Computes the GPUs that a chain needs at once from now on. */
  private void updateDemand(int chain) {
    int of = group[chain];
    demand[chain] =
        unfinished[chain] > 0
            ? Math.max(
                (double) unfinished[chain] * gpusPerInstance / perInstance[chain][of],
                laterGpus[chain][of])
            : 0;
  }
}
