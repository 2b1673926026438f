package io.elastune.simulator;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungRun;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision.Train;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a search made of rungs in one sample with faults, from event to event. Without a fault,
 * it gives the same times as {@link io.elastune.core.search.RungTimeline}.
 */
final class FaultyRungRun extends FaultyTaskRun<Train> {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  /** By rung: tasks that started. */
  final int[] tasks;

  private final CompiledRungPlan plan;
  private final RungRule rule;
  private final RungDraws draws;
  private final TrialClocks[] clocks;
  private final RungRun live;
  private final double stopS;
  // By trial with an interrupted task: the unit of its last checkpoint.
  private final Map<Integer, Integer> saved = new HashMap<>();
  // By trial whose last failure was a hang: the instance on which it hung.
  private final Map<Integer, FaultyLease> hungOn = new HashMap<>();
  private double closingS = Double.NaN;
  private int started;

  /**
   * @param draws those of the sample
   * @param clocks when trials crash or hang in it, by row of a fault
   */
  FaultyRungRun(
      CompiledRungPlan plan, RungDraws draws, TrialClocks[] clocks, FaultyCluster cluster) {
    super(cluster, plan.hazards, plan.checkpointS, plan.pool.gpusPerInstance());
    this.plan = plan;
    this.draws = draws;
    this.clocks = clocks;
    rule = plan.search.rule();
    live = new RungRun(rule, plan.search.initial());
    stopS = plan.stopS.orElse(FaultyLease.NEVER);
    tasks = new int[rule.targets().size()];
  }

  /** Simulates the search and releases all instances. */
  void run() {
    cluster.request(plan.pool.open().instances(), OPEN, 0);
    while (live.phase() != Phase.FINISHED) {
      advance(stopS);
      if (endsSearch) {
        boolean opens = live.phase() == Phase.OPEN;
        live.end();
        noteClosing(opens);
        break;
      }
      cluster.failBoots(nowS);
      serve();
      release();
    }
    for (FaultyTask<Train> task = firstRunning(); task != null; task = firstRunning()) {
      end(task);
    }
    if (isOpen()) {
      close();
    }
    cluster.releaseAll(CLOSING, closingS, nowS);
  }

  /** Returns when the last new trial had started. */
  double closingS() {
    return closingS;
  }

  /** Returns when the search ended. */
  double endS() {
    return nowS;
  }

  /** Returns the number of trials that have started. */
  int begun() {
    return live.begun();
  }

  /** Whether the cost is that of the phase open. */
  private boolean isOpen() {
    return Double.isNaN(closingS);
  }

  private void close() {
    closingS = nowS;
    cluster.attributeCost(OPEN, 0, nowS);
  }

  /**
   * Notes the end of the phase open.
   *
   * @param opened whether new trials could start before the last event
   */
  private void noteClosing(boolean opened) {
    if (opened && live.phase() != Phase.OPEN) {
      close();
    }
  }

  private void begin(Train task, boolean opens) {
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    int gpus = (opens ? plan.pool.open() : plan.pool.closing()).gpus();
    FaultyLease lease = leaseFor(task.trial(), gpus);
    if (lease == null) {
      throw new IllegalStateException("a task was issued that fits nowhere");
    }
    Integer continued = saved.isEmpty() ? null : saved.remove(task.trial());
    tasks[task.rung()] += continued == null ? 1 : 0;
    int from = continued == null ? task.from() : Math.min(continued, to - 1);
    Train part = new Train(task.trial(), task.rung(), from, to);
    start(part, lease, firstFree(lease, gpus), gpus, started++, true);
  }

  /**
   * Starts a task on certain GPUs.
   *
   * @param starts whether the program starts; otherwise its attempt continues
   */
  private void start(
      Train task, FaultyLease lease, int firstGpu, int gpus, int order, boolean starts) {
    int units = task.to() - task.from();
    double unitS = plan.unitS[gpus == plan.pool.open().gpus() ? OPEN : CLOSING];
    double workS = draws.workS(task, unitS) * lease.slowness;
    double startupS = starts ? draws.startupS(task) : 0;
    FaultyAttempt.Course course =
        new FaultyAttempt.Course(
            startupS,
            workS / units,
            units,
            startupS + workS,
            CheckpointSchedule.ASSUMED,
            target(task),
            rule.isStopping() ? rule.target(rule.lastRung()) - task.to() : 0);
    double faultAfterS = clocks(task).leftS(task.trial());
    FaultyAttempt attempt = new FaultyAttempt(task.trial(), slot(lease), nowS, course, faultAfterS);
    start(new FaultyTask<>(attempt, task, lease, firstGpu, gpus, order));
  }

  /** Returns after how many units of a task its trial ends the search; 0 if it does not. */
  private int target(Train task) {
    OptionalInt unit = plan.targetUnits.ofTask(task.trial(), task.from());
    int own = unit.orElse(0);
    return own <= task.to() - task.from() ? own : 0;
  }

  private TrialClocks clocks(Train task) {
    return clocks[plan.faultRow(task)];
  }

  @Override
  boolean crashes(FaultyTask<Train> task) {
    return clocks(task.owner).crashes(task.attempt.trial);
  }

  @Override
  void stopClock(FaultyTask<Train> task) {
    clocks(task.owner).stop(task.attempt.trial);
  }

  @Override
  void finish(FaultyTask<Train> task) {
    Train train = task.owner;
    int trial = train.trial();
    double loss = draws.loss(trial, train.rung());
    end(task);
    if (!hungOn.isEmpty()) {
      hungOn.remove(trial);
    }
    boolean opens = live.phase() == Phase.OPEN;
    if (!rule.isStopping() || train.rung() == rule.lastRung()) {
      live.reached(trial, loss);
      noteClosing(opens);
      return;
    }
    live.reported(trial, loss);
    noteClosing(opens);
    if (live.isRunning(trial)) {
      int rung = train.rung() + 1;
      tasks[rung]++;
      Train next = new Train(trial, rung, rule.target(rung - 1), rule.target(rung));
      start(next, task.lease, task.firstGpu, task.gpus, task.order, false);
    }
  }

  @Override
  void interrupt(FaultyTask<Train> task, Fault fault) {
    Train train = task.owner;
    if (fault == Fault.HANG) {
      hungOn.put(train.trial(), task.lease);
    } else if (fault == Fault.CRASH) {
      hungOn.remove(train.trial());
    }
    if (fault.isOfInstance() && !task.attempt.hangs) {
      clocks(train).passed(train.trial(), nowS - task.attempt.startS);
    }
    end(task);
    saved.put(train.trial(), rule.fromScratch() ? 0 : train.from() + kept(task, fault));
    live.interrupt(train.trial());
  }

  @Override
  void replace(FaultyLease lost) {
    lost.release(isOpen() ? OPEN : CLOSING, isOpen() ? 0 : closingS, nowS);
    if (cluster.held.size() < neededInstances()) {
      cluster.replace(lost, isOpen() ? OPEN : CLOSING, nowS);
    }
  }

  private int neededInstances() {
    if (live.phase() == Phase.OPEN) {
      return plan.pool.open().instances();
    }
    int perInstance = plan.pool.gpusPerInstance() / plan.pool.closing().gpus();
    int demand = live.running() + live.promotable();
    return RungSearch.keptInstances(demand, plan.pool.closing().instances(), perInstance);
  }

  private void serve() {
    boolean isMore = true;
    while (isMore && live.phase() != Phase.FINISHED) {
      closeIfLate();
      boolean opens = live.phase() == Phase.OPEN;
      isMore = leaseFor(0, (opens ? plan.pool.open() : plan.pool.closing()).gpus()) != null;
      if (isMore) {
        isMore = live.next();
        noteClosing(opens);
        if (isMore) {
          begin(live.task(), opens);
        }
      }
    }
  }

  /** Closes the search if a new trial would fit, but has too little time. */
  private void closeIfLate() {
    if (stopS < FaultyLease.NEVER
        && live.phase() == Phase.OPEN
        && !live.admits(stopS - nowS, plan.unitS[OPEN])
        && leaseFor(0, plan.pool.open().gpus()) != null) {
      live.closeNow();
      noteClosing(true);
    }
  }

  /**
   * Returns the ready instance with the lowest number that has aligned free GPUs; a trial that hung
   * prefers another one than before.
   */
  private @Nullable FaultyLease leaseFor(int trial, int gpus) {
    FaultyLease avoided = hungOn.isEmpty() ? null : hungOn.get(trial);
    FaultyLease found = null;
    for (int i = 0; i < cluster.held.size(); i++) {
      FaultyLease lease = cluster.held.get(i);
      if (firstFree(lease, gpus) >= 0) {
        if (lease != avoided) {
          return lease;
        }
        found = lease;
      }
    }
    return found;
  }

  /** Releases idle instances that the search does not need, the highest number first. */
  private void release() {
    if (plan.pool.hold() || live.phase() != Phase.CLOSING) {
      return;
    }
    int kept = neededInstances();
    boolean unreadyAreIdle = live.promotable() == 0;
    for (int i = cluster.held.size() - 1; i >= 0 && cluster.held.size() > kept; i--) {
      FaultyLease lease = cluster.held.get(i);
      if (lease.attempts == 0 && (unreadyAreIdle || lease.takesTasks)) {
        cluster.release(lease, CLOSING, closingS, nowS);
      }
    }
  }
}
