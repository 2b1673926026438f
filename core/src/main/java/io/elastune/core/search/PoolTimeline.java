package io.elastune.core.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

  /** An instance that becomes ready, or the task with that number that ends. */
  private record Event(double atS, long atNs, boolean isTask, int number)
      implements Comparable<Event> {
    private static final double NANOS = 1e9;
    private static final Comparator<Event> ORDER =
        Comparator.comparingLong(Event::atNs)
            .thenComparing(Event::isTask)
            .thenComparingInt(Event::number);

    static Event at(double atS, boolean isTask, int number) {
      return new Event(atS, Math.round(atS * NANOS), isTask, number);
    }

    @Override
    public int compareTo(Event other) {
      return ORDER.compare(this, other);
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
  private final boolean[] held;
  private final boolean[] ready;
  private final PoolPlacement placement;
  private final List<PoolTask> started = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
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
    placement = new PoolPlacement(gpusPerInstance, taken, held, ready);
    endS = new double[chains.size()][];
    gpuSeconds = new double[chains.size()][];
    pathS = new double[chains.size()][];
    group = new int[chains.size()];
    laterGpus = new double[chains.size()][];
    waiting = new int[chains.size()];
    unfinished = new int[chains.size()];
    order = IntStream.range(0, chains.size()).toArray();
    activeChains = chains.size();
    for (int chain = 0; chain < chains.size(); chain++) {
      addChain(chain, chains.get(chain));
    }
    sortChains();
    for (int i = 0; i < instances; i++) {
      held[i] = true;
      events.add(Event.at(readyS[i], false, i));
    }
  }

  private void addChain(int chain, List<PoolGroup> groups) {
    int count = groups.size();
    endS[chain] = new double[count];
    gpuSeconds[chain] = new double[count];
    pathS[chain] = new double[count + 1];
    laterGpus[chain] = new double[count];
    for (int i = count - 1; i >= 0; i--) {
      pathS[chain][i] = pathS[chain][i + 1] + groups.get(i).taskS();
      if (i > 0) {
        double gpus = PoolRules.demandGpus(groups.get(i), groups.get(i).trials(), gpusPerInstance);
        laterGpus[chain][i - 1] = Math.max(laterGpus[chain][i], gpus);
      }
    }
    waiting[chain] = groups.get(0).trials();
    unfinished[chain] = waiting[chain];
  }

  /**
   * Adds a task of the first group of a chain that already runs. Its index in the group is below
   * those of all tasks that have not started. To be called before {@link #run}.
   *
   * @param leftS seconds until it ends
   */
  public void addRunning(int chain, int instance, int firstGpu, int gpus, double leftS) {
    int trial = present(chain).trials() - waiting[chain]--;
    taken[instance] |= PoolPlacement.mask(firstGpu, gpus);
    gpuSeconds[chain][0] += leftS * gpus;
    events.add(Event.at(leftS, true, started.size()));
    started.add(new PoolTask(chain, 0, trial, instance, firstGpu, gpus, 0, leftS));
  }

  /** Returns the tasks that have started, in this order. */
  public List<PoolTask> tasks() {
    return Collections.unmodifiableList(started);
  }

  /** Plays to the end of the last chain or of the search, and returns its time. */
  public double run() {
    while (activeChains > 0) {
      Event event = events.poll();
      if (reachesTarget(event)) {
        nowS = targetS;
        discard();
        break;
      }
      if (event == null) {
        throw new IllegalStateException("tasks wait, but no instance is left for them");
      }
      nowS = event.atS();
      if (event.isTask()) {
        end(started.get(event.number()));
      } else {
        ready[event.number()] = true;
      }
      serve();
      release();
    }
    for (int i = 0; i < held.length; i++) {
      if (held[i]) {
        account(i);
        releasedS[i] = nowS;
      }
    }
    return nowS;
  }

  /** Whether a trial reports the target before the next event, or at the same time. */
  private boolean reachesTarget(@Nullable Event next) {
    return targetS < Double.POSITIVE_INFINITY
        && (next == null || next.atNs() >= Event.at(targetS, true, 0).atNs());
  }

  /** Ends all tasks and groups because the search ends. */
  private void discard() {
    started.replaceAll(this::discarded);
    for (int chain = 0; chain < group.length; chain++) {
      Arrays.fill(endS[chain], group[chain], endS[chain].length, nowS);
    }
  }

  private PoolTask discarded(PoolTask task) {
    if (task.endS() <= nowS) {
      return task;
    }
    gpuSeconds[task.chain()][task.group()] -= (task.endS() - nowS) * task.gpus();
    return task.endingAt(nowS);
  }

  private void end(PoolTask task) {
    account(task.instance());
    taken[task.instance()] &= ~PoolPlacement.mask(task.firstGpu(), task.gpus());
    int chain = task.chain();
    unfinished[chain]--;
    if (unfinished[chain] > 0) {
      return;
    }
    endS[chain][group[chain]] = nowS;
    group[chain]++;
    if (group[chain] == chains.get(chain).size()) {
      waiting[chain] = 0;
      activeChains--;
    } else {
      waiting[chain] = present(chain).trials();
      unfinished[chain] = waiting[chain];
      sortChains();
    }
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
    List<PoolPlacement.Request> requests = new ArrayList<>(order.length);
    for (int chain : order) {
      if (waiting[chain] > 0) {
        requests.add(new PoolPlacement.Request(chain, waiting[chain], present(chain).gpus()));
      }
    }
    if (requests.isEmpty()) {
      return;
    }
    for (int i = 0; i < held.length; i++) {
      account(i);
    }
    placement.place(requests).forEach(this::start);
  }

  private PoolGroup present(int chain) {
    return chains.get(chain).get(group[chain]);
  }

  private void start(PoolPlacement.Start start) {
    int chain = start.chain();
    int trial = present(chain).trials() - waiting[chain]--;
    double seconds = durations.seconds(chain, group[chain], trial, start.instance());
    gpuSeconds[chain][group[chain]] += seconds * start.gpus();
    targetS = Math.min(targetS, nowS + durations.targetS(chain, group[chain], trial, seconds));
    events.add(Event.at(nowS + seconds, true, started.size()));
    started.add(
        new PoolTask(
            chain,
            group[chain],
            trial,
            start.instance(),
            start.firstGpu(),
            start.gpus(),
            nowS,
            nowS + seconds));
  }

  /** Adds the time since the last change on an instance to its work. */
  private void account(int instance) {
    double seconds = nowS - changedS[instance];
    if (taken[instance] != 0 && seconds > 0) {
      usedS[instance] += seconds;
      busyS[instance] += seconds * Long.bitCount(taken[instance]) / gpusPerInstance;
    }
    changedS[instance] = nowS;
  }

  /** Releases idle instances that the chains do not need, the highest number first. */
  private void release() {
    if (hold) {
      return;
    }
    double demandGpus = 0;
    for (int chain = 0; chain < group.length; chain++) {
      if (unfinished[chain] > 0) {
        double present = PoolRules.demandGpus(present(chain), unfinished[chain], gpusPerInstance);
        demandGpus += Math.max(present, laterGpus[chain][group[chain]]);
      }
    }
    int kept = PoolRules.keptInstances(demandGpus, gpusPerInstance);
    for (int i = held.length - 1; i >= 0 && heldCount > kept; i--) {
      if (held[i] && taken[i] == 0) {
        account(i);
        held[i] = false;
        releasedS[i] = nowS;
        heldCount--;
      }
    }
  }
}
