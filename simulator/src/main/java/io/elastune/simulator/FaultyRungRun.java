package io.elastune.simulator;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.PoolPlacement;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.RungTransition;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import java.util.HashMap;
import java.util.List;
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
  private final RungTransition live;
  private final double stopS;
  // By trial with an interrupted task: the unit of its last checkpoint.
  private final Map<Integer, Integer> saved = new HashMap<>();
  // By trial whose last failure was a hang: the instance on which it hung.
  private final Map<Integer, FaultyLease> hungOn = new HashMap<>();
  private double closingS = Double.NaN;
  private int started;

  /**
   * @param draws those of the sample
   */
  FaultyRungRun(CompiledRungPlan plan, RungDraws draws, FaultyCluster cluster) {
    super(cluster, plan.hazards, plan.checkpointS);
    this.plan = plan;
    this.draws = draws;
    rule = plan.search.rule();
    live = new RungTransition(rule, plan.search.initial());
    stopS = plan.stopS.orElse(FaultyLease.NEVER);
    tasks = new int[rule.targets().size()];
  }

  /** Simulates the search and releases all instances. */
  void run() {
    cluster.request(plan.pool.open().instances(), OPEN, 0);
    while (live.phase() != Phase.FINISHED) {
      advance(stopS);
      if (endsSearch) {
        step(new SearchEvent.End());
        break;
      }
      cluster.failBoots(nowS);
      serve();
      release();
    }
    List.copyOf(running).forEach(this::end);
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

  private void end(Task<Train> task) {
    end(task, (double) task.gpus() / plan.pool.gpusPerInstance());
  }

  private void step(SearchEvent event) {
    boolean opens = live.phase() == Phase.OPEN;
    live.apply(event);
    if (opens && live.phase() != Phase.OPEN) {
      close();
    }
    for (SearchDecision decision : live.takeDecisions()) {
      if (decision instanceof Train task) {
        begin(task, opens);
      }
    }
  }

  private void begin(Train task, boolean opens) {
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    int gpus = (opens ? plan.pool.open() : plan.pool.closing()).gpus();
    FaultyLease lease = leaseFor(task.trial(), gpus);
    if (lease == null) {
      throw new IllegalStateException("a task was issued that fits nowhere");
    }
    Integer continued = saved.remove(task.trial());
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
    FaultySlot slot = new FaultySlot(List.of(lease), nowS);
    slot.attemptStarted(nowS);
    FaultyAttempt attempt = new FaultyAttempt(task.trial(), slot, nowS, course);
    running.add(new Task<>(attempt, task, lease, firstGpu, gpus, order));
  }

  /** Returns after how many units of a task its trial ends the search; 0 if it does not. */
  private int target(Train task) {
    OptionalInt unit = plan.targetUnits.ofTask(task.trial(), task.from());
    int own = unit.orElse(0);
    return own <= task.to() - task.from() ? own : 0;
  }

  @Override
  void finish(Task<Train> task) {
    Train train = task.owner();
    int trial = train.trial();
    double loss = draws.loss(trial, train.rung());
    end(task);
    hungOn.remove(trial);
    if (!rule.isStopping() || train.rung() == rule.lastRung()) {
      step(new SearchEvent.Reached(trial, loss, false));
      return;
    }
    step(new SearchEvent.Reported(trial, rule.target(train.rung()), loss));
    if (live.isRunning(trial)) {
      int rung = train.rung() + 1;
      tasks[rung]++;
      Train next = new Train(trial, rung, rule.target(rung - 1), rule.target(rung));
      start(next, task.lease(), task.firstGpu(), task.gpus(), task.order(), false);
    }
  }

  @Override
  void interrupt(Task<Train> task, Fault fault) {
    Train train = task.owner();
    if (fault == Fault.HANG) {
      hungOn.put(train.trial(), task.lease());
    } else if (fault == Fault.CRASH) {
      hungOn.remove(train.trial());
    }
    end(task);
    saved.put(train.trial(), rule.fromScratch() ? 0 : train.from() + kept(task, fault));
    step(new SearchEvent.Interrupted(train.trial()));
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
    int before = -1;
    while (live.phase() != Phase.FINISHED && before != started) {
      before = started;
      closeIfLate();
      boolean opens = live.phase() == Phase.OPEN;
      if (leaseFor(0, (opens ? plan.pool.open() : plan.pool.closing()).gpus()) != null) {
        step(new SearchEvent.Fits());
      }
    }
  }

  /** Closes the search if a new trial would fit, but has too little time. */
  private void closeIfLate() {
    if (stopS < FaultyLease.NEVER
        && live.phase() == Phase.OPEN
        && !live.admits(stopS - nowS, plan.unitS[OPEN])
        && leaseFor(0, plan.pool.open().gpus()) != null) {
      step(new SearchEvent.Close(SearchEvent.CloseReason.TIME));
    }
  }

  /**
   * Returns the ready instance with the lowest number that has aligned free GPUs; a trial that hung
   * prefers another one than before.
   */
  private @Nullable FaultyLease leaseFor(int trial, int gpus) {
    FaultyLease first = null;
    for (FaultyLease lease : cluster.held) {
      if (ready.contains(lease) && firstFree(lease, gpus) >= 0) {
        if (lease != hungOn.get(trial)) {
          return lease;
        }
        first = lease;
      }
    }
    return first;
  }

  private int firstFree(FaultyLease lease, int gpus) {
    long taken = 0;
    for (Task<Train> task : running) {
      taken |= task.lease() == lease ? PoolPlacement.mask(task.firstGpu(), task.gpus()) : 0;
    }
    return PoolPlacement.firstFree(taken, gpus, plan.pool.gpusPerInstance());
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
      if (lease.attempts == 0 && (unreadyAreIdle || ready.contains(lease))) {
        cluster.release(lease, CLOSING, closingS, nowS);
      }
    }
  }
}
