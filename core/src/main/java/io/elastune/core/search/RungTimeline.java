package io.elastune.core.search;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

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

  /**
   * A task that runs on some GPUs of an instance.
   *
   * @param slot its number in the order of start; a task that continues another one has its number
   */
  private record RunningTask(
      Train task, int instance, int firstGpu, int gpus, int slot, double endS) {}

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
  private final double[] readyS;
  // By slot.
  private final List<RunningTask> started = new ArrayList<>();

  /** Instances that become ready, by number, and tasks that end, by slot after the instances. */
  private final MomentHeap events = new MomentHeap();

  private final RungRun live;
  private Consumer<TraceEvent> trace = event -> {};
  private boolean isTraced;
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
    this.live = new RungRun(search.rule(), state);
    this.readyS = readyS.clone();
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
      events.add(MomentHeap.ns(readyS[i]), i);
    }
  }

  /** Passes all events to {@code recipient}, in order. */
  public void traceTo(Consumer<TraceEvent> recipient) {
    trace = recipient;
    isTraced = true;
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
    place(task, instance, firstGpu, gpus, endS);
  }

  /** Plays the search to its end. */
  public void run() {
    while (live.phase() != Phase.FINISHED) {
      if (reachesTarget() || isLate()) {
        nowS = reachesTarget() ? targetS : Math.max(0, stopS);
        boolean opens = live.phase() == Phase.OPEN;
        live.end();
        noteClosing(opens);
        traceClosing(opens);
        break;
      }
      if (events.isEmpty()) {
        throw new IllegalStateException("the search has tasks, but no instance for them");
      }
      int next = events.poll();
      if (next >= readyS.length) {
        RunningTask ended = started.get(next - readyS.length);
        nowS = ended.endS();
        end(ended);
      } else {
        nowS = readyS[next];
        if (!instances.isReleased(next)) {
          instances.ready(next);
          trace(TraceEvent.Kind.READY, next);
        }
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
  private boolean reachesTarget() {
    return targetS < Double.POSITIVE_INFINITY
        && targetS <= stopS
        && (events.isEmpty() || events.firstNs() >= MomentHeap.ns(targetS));
  }

  private boolean isLate() {
    return stopS < Double.POSITIVE_INFINITY
        && (events.isEmpty() || events.firstNs() > MomentHeap.ns(stopS));
  }

  /** Notes when a task that starts now reports the target, if it does. */
  private void expectTarget(Train task, int gpus, int instance, boolean starts) {
    OptionalInt unit = model.targetUnit(task.trial());
    if (unit.isPresent() && unit.getAsInt() > task.from() && unit.getAsInt() <= task.to()) {
      Train part = new Train(task.trial(), task.rung(), task.from(), unit.getAsInt());
      targetS = Math.min(targetS, nowS + model.seconds(part, gpus, instance, starts));
    }
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

  private void end(RunningTask ended) {
    int trial = ended.task().trial();
    int rung = ended.task().rung();
    RungRule rule = search.rule();
    trace(TraceEvent.Kind.END, ended);
    boolean opens = live.phase() == Phase.OPEN;
    if (rule.isStopping() && rung < rule.lastRung()) {
      live.reported(trial, model.loss(trial, rung));
      noteClosing(opens);
      traceClosing(opens);
      if (live.isRunning(trial)) {
        continueTo(rung + 1, ended);
      } else {
        free(ended);
      }
      return;
    }
    free(ended);
    live.reached(trial, model.loss(trial, rung));
    noteClosing(opens);
    traceClosing(opens);
  }

  /** Continues the attempt of a trial to the next rung, on the same GPUs. */
  private void continueTo(int rung, RunningTask before) {
    RungRule rule = search.rule();
    Train next = new Train(before.task().trial(), rung, rule.target(rung - 1), rule.target(rung));
    tasks[rung]++;
    expectTarget(next, before.gpus(), before.instance(), false);
    double endS = nowS + model.seconds(next, before.gpus(), before.instance(), false);
    RunningTask continued =
        new RunningTask(
            next, before.instance(), before.firstGpu(), before.gpus(), before.slot(), endS);
    started.set(before.slot(), continued);
    trace(TraceEvent.Kind.START, continued);
    events.add(MomentHeap.ns(endS), readyS.length + before.slot());
  }

  /**
   * Notes the end of the phase open.
   *
   * @param opened whether new trials could start before the last event
   */
  private void noteClosing(boolean opened) {
    if (opened && live.phase() != Phase.OPEN) {
      for (int i = 0; i < instances.count(); i++) {
        account(i);
      }
      closingS = nowS;
    }
  }

  private void traceClosing(boolean opened) {
    if (isTraced && opened && live.phase() != Phase.OPEN) {
      trace.accept(TraceEvent.of(nowS, TraceEvent.Kind.CLOSING));
    }
  }

  private void start(Train task, boolean open, int instance) {
    int gpus = (open ? pool.open() : pool.closing()).gpus();
    RungRule rule = search.rule();
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    Train part = to == task.to() ? task : new Train(task.trial(), task.rung(), task.from(), to);
    int firstGpu = instances.firstFree(instance, gpus);
    tasks[task.rung()]++;
    expectTarget(part, gpus, instance, true);
    double endS = nowS + model.seconds(part, gpus, instance, true);
    trace(TraceEvent.Kind.START, place(part, instance, firstGpu, gpus, endS));
  }

  private void trace(TraceEvent.Kind kind, int instance) {
    if (isTraced) {
      trace.accept(TraceEvent.of(nowS, kind, instance));
    }
  }

  private void trace(TraceEvent.Kind kind, RunningTask of) {
    if (!isTraced) {
      return; // most timelines are not traced, and events take longer than the rest
    }
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

  private RunningTask place(Train task, int instance, int firstGpu, int gpus, double endS) {
    account(instance);
    instances.take(instance, firstGpu, gpus);
    int slot = started.size();
    RunningTask running = new RunningTask(task, instance, firstGpu, gpus, slot, endS);
    started.add(running);
    events.add(MomentHeap.ns(endS), readyS.length + slot);
    return running;
  }

  private void free(RunningTask task) {
    account(task.instance());
    instances.free(task.instance(), task.firstGpu(), task.gpus());
  }

  private void account(int instance) {
    instances.account(instance, Double.isNaN(closingS) ? 0 : 1, nowS);
  }

  private void serve() {
    boolean isMore = true;
    while (isMore && live.phase() != Phase.FINISHED) {
      closeIfLate();
      boolean opens = live.phase() == Phase.OPEN;
      int instance = instances.instanceFor(pool.size(live.phase()).gpus(), pool.used(opens));
      isMore = instance >= 0;
      if (isMore) {
        isMore = live.next();
        noteClosing(opens);
        if (isMore) {
          start(live.task(), opens, instance);
        }
        traceClosing(opens);
      }
    }
  }

  /** Closes the search if a new trial would fit, but has too little time. */
  private void closeIfLate() {
    if (stopS < Double.POSITIVE_INFINITY
        && live.phase() == Phase.OPEN
        && !live.admits(stopS - nowS, newUnitS)
        && instances.instanceFor(pool.open().gpus(), pool.used(true)) >= 0) {
      live.closeNow();
      noteClosing(true);
      traceClosing(true);
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
    trace(TraceEvent.Kind.RELEASE, instance);
  }
}
