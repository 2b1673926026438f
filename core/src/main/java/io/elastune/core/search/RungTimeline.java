package io.elastune.core.search;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Plays a search made of rungs on a pool of instances, event by event, in seconds
 * (docs/searches.md, "Prediction"). Events are handled one at a time by (time rounded to 1 ns;
 * instances by number before tasks; tasks in the order of their start). After each: record the
 * result, start what fits, release. Not thread-safe; one object plays one search.
 */
public final class RungTimeline {
  /** The durations and results of tasks. */
  public interface Model {
    /**
     * Returns the seconds of a task.
     *
     * @param gpus GPUs of the trial
     * @param starts whether the seconds include the start-up of the program
     */
    double seconds(Train task, int gpus, int instance, boolean starts);

    /** Returns the loss of a trial at the target of a rung: less is better. */
    double loss(int trial, int rung);
  }

  /** The instances that a phase holds at most, and the GPUs of each task that starts in it. */
  public record PhaseSize(int instances, int gpus) {}

  /**
   * The pool of a search.
   *
   * @param gpusPerInstance GPUs of each instance, at most 64
   * @param hold whether no instance is released before the end
   */
  public record Pool(int gpusPerInstance, PhaseSize open, PhaseSize closing, boolean hold) {
    PhaseSize size(Phase phase) {
      return phase == Phase.OPEN ? open : closing;
    }
  }

  /** A task that runs on some GPUs of an instance. */
  private record RunningTask(Train task, int instance, int firstGpu, int gpus, double startS) {}

  /** An instance that becomes ready, or a task that ends. */
  private record Event(double atS, long atNs, int order, int instance, int slot)
      implements Comparable<Event> {
    private static final Comparator<Event> ORDER =
        Comparator.comparingLong(Event::atNs)
            .thenComparing(Event::isTask)
            .thenComparingInt(Event::order);

    boolean isTask() {
      return slot >= 0;
    }

    @Override
    public int compareTo(Event other) {
      return ORDER.compare(this, other);
    }
  }

  private static final double NANOS = 1e9;

  /** By instance: when it was released. */
  public final double[] releasedS;

  /** By phase (open, closing) and instance: seconds in which a task ran on it. */
  public final double[][] usedS;

  /** By phase and instance: the same, weighted by the fraction of its GPUs in use. */
  public final double[][] busyS;

  /** By rung: tasks that started. */
  public final int[] tasks;

  private final RungSearch search;
  private final Pool pool;
  private final Model model;
  private final long[] taken;
  private final int[] runningOn;
  private final double[] changedS;
  private final boolean[] isReady;
  private final boolean[] isReleased;
  private final List<RunningTask> started = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final RungTransition live;
  private double nowS;
  private double closingS = Double.NaN;
  private int held;

  /**
   * Creates the timeline of a search that starts with {@code state}.
   *
   * @param readyS by instance: when it is ready
   */
  public RungTimeline(RungSearch search, RungState state, Pool pool, double[] readyS, Model model) {
    this.search = search;
    this.live = new RungTransition(search.rule(), state);
    this.pool = pool;
    this.model = model;
    int instances = readyS.length;
    held = instances;
    releasedS = new double[instances];
    usedS = new double[2][instances];
    busyS = new double[2][instances];
    taken = new long[instances];
    runningOn = new int[instances];
    changedS = new double[instances];
    isReady = new boolean[instances];
    isReleased = new boolean[instances];
    tasks = new int[search.rule().targets().size()];
    if (state.phase() != Phase.OPEN) {
      closingS = 0;
    }
    for (int i = 0; i < instances; i++) {
      events.add(new Event(readyS[i], Math.round(readyS[i] * NANOS), i, i, -1));
    }
  }

  /** Adds a task that already runs. Its end precedes those of tasks that start later. */
  public void addRunning(Train task, int instance, int firstGpu, int gpus, double endS) {
    place(new RunningTask(task, instance, firstGpu, gpus, 0), endS);
  }

  /** Plays the search to its end. */
  public void run() {
    while (live.phase() != Phase.FINISHED) {
      Event event = events.poll();
      if (event == null) {
        throw new IllegalStateException("the search has tasks, but no instance for them");
      }
      nowS = event.atS();
      if (event.isTask()) {
        end(event);
      } else if (!isReleased[event.instance()]) {
        isReady[event.instance()] = true;
      }
      serve();
      release();
    }
    for (int i = 0; i < releasedS.length; i++) {
      if (!isReleased[i]) {
        account(i);
        releasedS[i] = nowS;
      }
    }
    closingS = Double.isNaN(closingS) ? nowS : closingS;
  }

  /** Returns when the last new trial had started. */
  public double closingS() {
    return closingS;
  }

  /** Returns when the search ended. */
  public double endS() {
    return nowS;
  }

  private void end(Event event) {
    RunningTask ended = started.get(event.slot());
    int trial = ended.task().trial();
    int rung = ended.task().rung();
    RungRule rule = search.rule();
    if (rule.isStopping() && rung < rule.lastRung()) {
      step(new SearchEvent.Reported(trial, rule.target(rung), model.loss(trial, rung)));
      if (live.isRunning(trial)) {
        Train next = new Train(trial, rung + 1, rule.target(rung), rule.target(rung + 1));
        started.set(
            event.slot(),
            new RunningTask(
                next, ended.instance(), ended.firstGpu(), ended.gpus(), ended.startS()));
        tasks[rung + 1]++;
        double endS = nowS + model.seconds(next, ended.gpus(), ended.instance(), false);
        events.add(
            new Event(
                endS, Math.round(endS * NANOS), event.slot(), ended.instance(), event.slot()));
        return;
      }
      free(ended);
      return;
    }
    free(ended);
    step(new SearchEvent.Reached(trial, model.loss(trial, rung), false));
  }

  private void step(SearchEvent event) {
    boolean open = live.phase() == Phase.OPEN;
    live.apply(event);
    if (open && live.phase() != Phase.OPEN) {
      for (int i = 0; i < runningOn.length; i++) {
        account(i);
      }
      closingS = nowS;
    }
    for (SearchDecision decision : live.takeDecisions()) {
      if (decision instanceof Train task) {
        start(task, open);
      }
    }
  }

  private void start(Train task, boolean open) {
    int gpus = (open ? pool.open() : pool.closing()).gpus();
    RungRule rule = search.rule();
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    Train part = new Train(task.trial(), task.rung(), task.from(), to);
    int instance = instanceFor(gpus);
    int firstGpu = firstFree(instance, gpus);
    tasks[task.rung()]++;
    double endS = nowS + model.seconds(part, gpus, instance, true);
    place(new RunningTask(part, instance, firstGpu, gpus, nowS), endS);
  }

  private void place(RunningTask task, double endS) {
    account(task.instance());
    taken[task.instance()] |= mask(task.firstGpu(), task.gpus());
    runningOn[task.instance()]++;
    started.add(task);
    int slot = started.size() - 1;
    events.add(new Event(endS, Math.round(endS * NANOS), slot, task.instance(), slot));
  }

  private void free(RunningTask task) {
    account(task.instance());
    taken[task.instance()] &= ~mask(task.firstGpu(), task.gpus());
    runningOn[task.instance()]--;
  }

  /** Adds the time since the last change on an instance to its work. */
  private void account(int instance) {
    int phase = Double.isNaN(closingS) ? 0 : 1;
    double seconds = nowS - changedS[instance];
    if (runningOn[instance] > 0) {
      usedS[phase][instance] += seconds;
      busyS[phase][instance] += seconds * Long.bitCount(taken[instance]) / pool.gpusPerInstance();
    }
    changedS[instance] = nowS;
  }

  private static long mask(int first, int gpus) {
    return (gpus >= Long.SIZE ? -1L : (1L << gpus) - 1) << first;
  }

  private void serve() {
    int before = -1;
    while (live.phase() != Phase.FINISHED && before != started.size()) {
      before = started.size();
      if (instanceFor(pool.size(live.phase()).gpus()) >= 0) {
        step(new SearchEvent.Fits());
      }
    }
  }

  /** Returns the held ready instance with the lowest number that has aligned free GPUs, or -1. */
  private int instanceFor(int gpus) {
    for (int i = 0; i < taken.length; i++) {
      if (isReady[i] && !isReleased[i] && firstFree(i, gpus) >= 0) {
        return i;
      }
    }
    return -1;
  }

  private int firstFree(int instance, int gpus) {
    for (int first = 0; first + gpus <= pool.gpusPerInstance(); first += gpus) {
      if ((taken[instance] & mask(first, gpus)) == 0) {
        return first;
      }
    }
    return -1;
  }

  /** Releases idle instances that the search does not need, the highest number first. */
  private void release() {
    if (pool.hold() || live.phase() != Phase.CLOSING) {
      return;
    }
    int perInstance = pool.gpusPerInstance() / pool.closing().gpus();
    int kept = RungSearch.keptInstances(live.demand(), pool.closing().instances(), perInstance);
    boolean unreadyAreIdle = live.promotable() == 0;
    for (int i = taken.length - 1; i >= 0 && held > kept; i--) {
      if (!isReleased[i] && runningOn[i] == 0 && (isReady[i] || unreadyAreIdle)) {
        isReleased[i] = true;
        releasedS[i] = nowS;
        held--;
      }
    }
  }
}
