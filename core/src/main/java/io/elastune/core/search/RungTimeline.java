package io.elastune.core.search;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /** Returns the unit whose report ends the search; empty if no report of the trial does. */
    default OptionalInt targetUnit(int trial) {
      return OptionalInt.empty();
    }
  }

  /**
   * The instances that a phase holds at most, and the GPUs of each task that starts in it. If a
   * search opens with more instances, those with the highest numbers start no task, and are
   * released when they are idle.
   */
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

    /** Instances on which tasks start: in the phase closing, all that are held. */
    int used(boolean opens) {
      return opens ? open.instances() : Integer.MAX_VALUE;
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
  private final RungInstances instances;
  private final List<RunningTask> started = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final RungTransition live;
  private Consumer<TraceEvent> trace = event -> {};
  private double nowS;
  private double closingS = Double.NaN;
  private double stopS = Double.POSITIVE_INFINITY;
  private double newUnitS;
  private double targetS = Double.POSITIVE_INFINITY;

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
    instances = new RungInstances(readyS.length, pool.gpusPerInstance());
    releasedS = instances.releasedS;
    usedS = instances.usedS;
    busyS = instances.busyS;
    tasks = new int[search.rule().targets().size()];
    if (state.phase() != Phase.OPEN) {
      closingS = 0;
    }
    for (int i = 0; i < readyS.length; i++) {
      events.add(new Event(readyS[i], Math.round(readyS[i] * NANOS), i, i, -1));
    }
  }

  /** Passes all events to {@code recipient}, in order. */
  public void traceTo(Consumer<TraceEvent> recipient) {
    trace = recipient;
  }

  /**
   * Ends the search at a time, with whatever it has reached.
   *
   * @param atS the time
   * @param unitS seconds per unit of a new trial, which decides whether one may still start
   */
  public void stopAt(double atS, double unitS) {
    stopS = atS;
    newUnitS = unitS;
  }

  /** Adds a task that already runs. Its end precedes those of tasks that start later. */
  public void addRunning(Train task, int instance, int firstGpu, int gpus, double endS) {
    place(new RunningTask(task, instance, firstGpu, gpus, 0), endS);
  }

  /** Plays the search to its end. */
  public void run() {
    while (live.phase() != Phase.FINISHED) {
      Event event = events.poll();
      if (reachesTarget(event)) {
        nowS = targetS;
        step(new SearchEvent.End());
        break;
      }
      if (isLate(event)) {
        nowS = Math.max(0, stopS);
        step(new SearchEvent.End());
        break;
      }
      if (event == null) {
        throw new IllegalStateException("the search has tasks, but no instance for them");
      }
      nowS = event.atS();
      if (event.isTask()) {
        end(event);
      } else if (!instances.isReleased(event.instance())) {
        instances.ready(event.instance());
        trace.accept(TraceEvent.of(nowS, TraceEvent.Kind.READY, event.instance()));
      }
      serve();
      release();
    }
    trace.accept(TraceEvent.of(nowS, TraceEvent.Kind.FINISHED));
    for (int i = instances.count() - 1; i >= 0; i--) {
      if (!instances.isReleased(i)) {
        account(i);
        release(i);
      }
    }
    closingS = Double.isNaN(closingS) ? nowS : closingS;
  }

  /** Whether a trial reports the target before the next event, or at the same time. */
  private boolean reachesTarget(@Nullable Event next) {
    return targetS < Double.POSITIVE_INFINITY
        && targetS <= stopS
        && (next == null || next.atNs() >= Math.round(targetS * NANOS));
  }

  /** Notes when a task that starts now reports the target, if it does. */
  private void expectTarget(Train task, int gpus, int instance, boolean starts) {
    OptionalInt unit = model.targetUnit(task.trial());
    if (unit.isPresent() && unit.getAsInt() > task.from() && unit.getAsInt() <= task.to()) {
      Train part = new Train(task.trial(), task.rung(), task.from(), unit.getAsInt());
      targetS = Math.min(targetS, nowS + model.seconds(part, gpus, instance, starts));
    }
  }

  private boolean isLate(@Nullable Event next) {
    return stopS < Double.POSITIVE_INFINITY
        && (next == null || next.atNs() > Math.round(stopS * NANOS));
  }

  /** Returns when the last new trial had started. */
  public double closingS() {
    return closingS;
  }

  /** Returns the seconds of all tasks. */
  public double taskS() {
    return instances.taskS();
  }

  /** Returns the number of trials that have started. */
  public int begun() {
    return live.begun();
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
    trace(TraceEvent.Kind.END, ended);
    if (rule.isStopping() && rung < rule.lastRung()) {
      step(new SearchEvent.Reported(trial, rule.target(rung), model.loss(trial, rung)));
      if (live.isRunning(trial)) {
        continueTo(rung + 1, ended, event);
      } else {
        free(ended);
      }
      return;
    }
    free(ended);
    step(new SearchEvent.Reached(trial, model.loss(trial, rung), false));
  }

  /** Continues the attempt of a trial to the next rung, on the same GPUs. */
  private void continueTo(int rung, RunningTask before, Event event) {
    RungRule rule = search.rule();
    Train next = new Train(before.task().trial(), rung, rule.target(rung - 1), rule.target(rung));
    RunningTask continued =
        new RunningTask(next, before.instance(), before.firstGpu(), before.gpus(), nowS);
    started.set(event.slot(), continued);
    tasks[rung]++;
    trace(TraceEvent.Kind.START, continued);
    expectTarget(next, before.gpus(), before.instance(), false);
    double endS = nowS + model.seconds(next, before.gpus(), before.instance(), false);
    events.add(
        new Event(endS, Math.round(endS * NANOS), event.slot(), before.instance(), event.slot()));
  }

  private void step(SearchEvent event) {
    boolean open = live.phase() == Phase.OPEN;
    live.apply(event);
    boolean closes = open && live.phase() != Phase.OPEN;
    if (closes) {
      for (int i = 0; i < instances.count(); i++) {
        account(i);
      }
      closingS = nowS;
    }
    for (SearchDecision decision : live.takeDecisions()) {
      if (decision instanceof Train task) {
        start(task, open);
      }
    }
    if (closes) {
      trace.accept(TraceEvent.of(nowS, TraceEvent.Kind.CLOSING));
    }
  }

  private void start(Train task, boolean open) {
    int gpus = (open ? pool.open() : pool.closing()).gpus();
    RungRule rule = search.rule();
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    Train part = new Train(task.trial(), task.rung(), task.from(), to);
    int instance = instances.instanceFor(gpus, pool.used(open));
    int firstGpu = instances.firstFree(instance, gpus);
    tasks[task.rung()]++;
    expectTarget(part, gpus, instance, true);
    double endS = nowS + model.seconds(part, gpus, instance, true);
    RunningTask running = new RunningTask(part, instance, firstGpu, gpus, nowS);
    trace(TraceEvent.Kind.START, running);
    place(running, endS);
  }

  private void trace(TraceEvent.Kind kind, RunningTask of) {
    Train task = of.task();
    trace.accept(
        TraceEvent.of(
            nowS,
            kind,
            of.instance(),
            new TraceEvent.Task(
                task.trial(),
                RungRule.name(task.rung()),
                task.from(),
                task.to(),
                of.gpus(),
                1,
                OptionalInt.empty())));
  }

  private void place(RunningTask task, double endS) {
    account(task.instance());
    instances.take(task.instance(), task.firstGpu(), task.gpus());
    started.add(task);
    int slot = started.size() - 1;
    events.add(new Event(endS, Math.round(endS * NANOS), slot, task.instance(), slot));
  }

  private void free(RunningTask task) {
    account(task.instance());
    instances.free(task.instance(), task.firstGpu(), task.gpus());
  }

  private void account(int instance) {
    instances.account(instance, Double.isNaN(closingS) ? 0 : 1, nowS);
  }

  private void serve() {
    int before = -1;
    while (live.phase() != Phase.FINISHED && before != started.size()) {
      before = started.size();
      closeIfLate();
      boolean opens = live.phase() == Phase.OPEN;
      if (instances.instanceFor(pool.size(live.phase()).gpus(), pool.used(opens)) >= 0) {
        step(new SearchEvent.Fits());
      }
    }
  }

  /** Closes the search if a new trial would fit, but has too little time. */
  private void closeIfLate() {
    if (stopS < Double.POSITIVE_INFINITY
        && live.phase() == Phase.OPEN
        && !live.admits(stopS - nowS, newUnitS)
        && instances.instanceFor(pool.open().gpus(), pool.used(true)) >= 0) {
      step(new SearchEvent.Close(SearchEvent.CloseReason.TIME));
    }
  }

  /** Releases idle instances that the search does not need, the highest number first. */
  private void release() {
    if (pool.hold() || live.phase() == Phase.FINISHED) {
      return;
    }
    if (live.phase() == Phase.OPEN) {
      releaseIdle(pool.open().instances(), true);
      return;
    }
    int perInstance = pool.gpusPerInstance() / pool.closing().gpus();
    int promotable = live.promotable();
    int demand = live.running() + promotable;
    int kept = RungSearch.keptInstances(demand, pool.closing().instances(), perInstance);
    releaseIdle(kept, promotable == 0);
  }

  private void releaseIdle(int kept, boolean unreadyAreIdle) {
    for (int i = instances.count() - 1; i >= 0 && instances.held() > kept; i--) {
      if (instances.isIdle(i, unreadyAreIdle)) {
        release(i);
      }
    }
  }

  private void release(int instance) {
    instances.release(instance, nowS);
    trace.accept(TraceEvent.of(nowS, TraceEvent.Kind.RELEASE, instance));
  }
}
