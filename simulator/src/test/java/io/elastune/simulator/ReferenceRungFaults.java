package io.elastune.simulator;

import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.search.SearchStep;
import io.elastune.core.timeline.PoolPlacement;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.SamplingLimit;
import io.elastune.simulator.timeline.CompiledRungPlan;
import io.elastune.simulator.timeline.RungDraws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Plays one sample of an asynchronous search with faults, without a target, as docs/model.md
 * ("Faults") and docs/searches.md state it. It looks at all tasks and instances at every event, and
 * at the hazard that is left of each.
 */
final class ReferenceRungFaults extends ReferencePoolInstances {

  /** The hazard that is left of a trial in a rung, and its faults so far. */
  private static final class TrialHazard {
    double left;
    int faults;

    TrialHazard(double left) {
      this.left = left;
    }
  }

  private record Hazards(int row, int trial) {}

  /** A part of a task on some GPUs. */
  private static final class Attempt {
    final Train task;
    final int order;
    final int number;
    final ReferenceLease lease;
    final int firstGpu;
    final int gpus;
    final double fromS;
    final double startupS;
    final double unitS;
    double toS;
    int savedAtHang = -1;

    Attempt(
        Train task,
        int order,
        int number,
        ReferenceLease lease,
        int firstGpu,
        int gpus,
        double fromS,
        double startupS,
        double workS) {
      this.task = task;
      this.order = order;
      this.number = number;
      this.lease = lease;
      this.firstGpu = firstGpu;
      this.gpus = gpus;
      this.fromS = fromS;
      this.startupS = startupS;
      this.unitS = workS / units();
      this.toS = fromS + startupS + workS;
    }

    int units() {
      return task.to() - task.from();
    }

    boolean hangs() {
      return savedAtHang >= 0;
    }

    int saved(double now) {
      double whole = Math.floor((now - fromS - startupS) / unitS);
      return hangs() ? savedAtHang : (int) Math.min(units() - 1, Math.max(0, whole));
    }
  }

  private final CompiledRungPlan plan;
  private final RungSearch search;
  private final RungRule rule;
  private final RungDraws draws;
  private final int sample;
  private final Map<Hazards, TrialHazard> hazards = new HashMap<>();
  private final List<Attempt> running = new ArrayList<>();
  private final Map<Integer, Integer> saved = new HashMap<>();
  private final Map<Hazards, Integer> repeats = new HashMap<>();
  private final Map<Integer, ReferenceLease> hungOn = new HashMap<>();
  private final double stopS;
  private RungState state;
  private int started;
  private int attempts;
  private boolean hasEnded;

  ReferenceRungFaults(Problem problem, Plan plan, Draws all, RankModel ranks, int sample) {
    super(
        problem,
        problem.offer(plan.allocations().get(Workload.OPEN).offer()).orElseThrow(),
        new Chain(LeasePlan.POOL, List.of(new TrialGroup("pool", 1, 0, 1))),
        FastSimulatorDraws.of(all, sample));
    this.sample = sample;
    this.plan = new CompiledRungPlan(problem, plan, all, ranks);
    search = this.plan.search;
    rule = search.rule();
    draws = new RungDraws(this.plan, SamplingLimit.NONE.counter());
    draws.select(sample);
    stopS = this.plan.stopS.orElse(NEVER);
    state = search.initial();
  }

  /** Plays the search and returns its completion time. */
  double run() {
    request(plan.sizes.open().instances());
    while (state.phase() != Phase.FINISHED) {
      step();
      if (hasEnded) {
        apply(new SearchEvent.End());
        break;
      }
      replaceFailedBoots();
      serve();
      release();
    }
    List.copyOf(running).forEach(this::leave);
    List.copyOf(held).forEach(this::end);
    return now;
  }

  private void step() {
    ReferenceLease arriving = arriving();
    double changeS = nextFailureS();
    Attempt ending =
        running.stream()
            .min(
                Comparator.<Attempt>comparingLong(attempt -> nanos(attempt.toS))
                    .thenComparingInt(attempt -> attempt.order))
            .orElse(null);
    boolean isArrival =
        arriving != null && (ending == null || nanos(arriving.readyS) <= nanos(ending.toS));
    double eventS = isArrival ? arriving.readyS : ending == null ? NEVER : ending.toS;
    double changedS = Math.min(changeS, eventS);
    boolean isLate = stopS < NEVER && nanos(changedS) > nanos(stopS);
    if (isStruckBefore(isLate ? stopS : changedS)) {
      return;
    }
    hasEnded = isLate;
    if (isLate || (changeS < NEVER && changeS <= eventS)) {
      return;
    }
    if (isArrival) {
      ready.add(arriving);
    } else if (ending.hangs()) {
      hungOn.put(ending.task.trial(), ending.lease);
      interrupt(ending);
    } else {
      finish(ending);
    }
  }

  /** Advances to {@code nextS}, or to a fault before, which occurs; returns whether one does. */
  private boolean isStruckBefore(double nextS) {
    double faultS = nextS;
    ReferenceLease lost = null;
    Attempt struck = null;
    for (ReferenceLease lease : held) {
      if (strikesAtS(lease) < faultS) {
        faultS = strikesAtS(lease);
        lost = lease;
      }
    }
    List<Attempt> healthy = running.stream().filter(attempt -> !attempt.hangs()).toList();
    for (Attempt attempt : healthy) {
      double at = now + hazard(attempt.task).left / trialPerS();
      if (trialPerS() > 0 && at < faultS) {
        faultS = at;
        lost = null;
        struck = attempt;
      }
    }
    runClocks(faultS);
    for (Attempt attempt : healthy) {
      hazard(attempt.task).left -= (faultS - now) * trialPerS();
    }
    now = faultS;
    if (lost != null) {
      loseInstances(lost);
    } else if (struck != null) {
      strike(struck);
    }
    return lost != null || struck != null;
  }

  private TrialHazard hazard(Train task) {
    int row = plan.faultRow(task.trial(), task.rung());
    return hazards.computeIfAbsent(
        new Hazards(row, task.trial()),
        key -> {
          DrawReader reader = new DrawReader(plan.faults.get(row));
          int first = reader.offset(sample);
          double uniform = reader.values()[first + plan.column(task.trial())];
          return new TrialHazard(ReferenceFaults.hazard(uniform));
        });
  }

  /** A checkpoint after each unit is assumed, also without a notice. */
  @Override
  void interruptOn(ReferenceLease lost, boolean preempted) {
    for (Attempt attempt : List.copyOf(running)) {
      if (attempt.lease == lost) {
        interrupt(attempt);
      }
    }
  }

  private void strike(Attempt struck) {
    TrialHazard own = hazard(struck.task);
    if (!count.next()) {
      own.left = NEVER;
      return;
    }
    RandomStreams streams =
        plan.faultStreams.get(plan.faultRow(struck.task.trial(), struck.task.rung())).at(sample);
    RandomGenerator uniform = streams.at(struck.task.trial()).at(own.faults++).open();
    TrialFaultRates rates = profile.faults();
    double share = rates.crashes().value() / (rates.crashes().value() + rates.hangs().value());
    boolean isCrash = uniform(uniform) < share;
    own.left = ReferenceFaults.hazard(uniform(uniform));
    if (isCrash) {
      hungOn.remove(struck.task.trial());
      interrupt(struck);
      return;
    }
    int done = struck.saved(now);
    int later = rule.isStopping() ? rule.target(rule.lastRung()) - struck.task.to() : 0;
    double lastS = struck.fromS + (done > 0 ? struck.startupS + done * struck.unitS : 0);
    double needsS =
        (struck.units() + later - done) * struck.unitS + (done > 0 ? 0 : struck.startupS);
    struck.toS = Math.max(now, lastS + silenceS(needsS)) + profile.checkpointS().mean();
    struck.savedAtHang = done;
  }

  private static double uniform(RandomGenerator random) {
    return (random.nextLong() >>> 11) / (double) (1L << 53);
  }

  private void leave(Attempt attempt) {
    running.remove(attempt);
    train(attempt.lease, attempt.fromS, attempt.gpus);
  }

  private void interrupt(Attempt attempt) {
    Train task = attempt.task;
    leave(attempt);
    saved.put(task.trial(), rule.fromScratch() ? 0 : task.from() + attempt.saved(now));
    apply(new SearchEvent.Interrupted(task.trial()));
  }

  private void finish(Attempt attempt) {
    Train task = attempt.task;
    double loss = draws.loss(task.trial(), task.rung());
    leave(attempt);
    hungOn.remove(task.trial());
    boolean ends = !rule.isStopping() || task.rung() == rule.lastRung();
    if (ends
        && repeats.merge(new Hazards(task.rung(), task.trial()), 1, Integer::sum) <= torn(task)) {
      int from = rule.fromScratch() ? 0 : task.to() - 1;
      Train again = new Train(task.trial(), task.rung(), from, task.to());
      start(again, attempt.lease, attempt.firstGpu, attempt.gpus, attempt.order, true);
      return;
    }
    if (ends) {
      apply(new SearchEvent.Reached(task.trial(), loss, false));
      return;
    }
    apply(new SearchEvent.Reported(task.trial(), rule.target(task.rung()), loss));
    if (state.tasks().containsKey(task.trial())) {
      int rung = task.rung() + 1;
      Train next = new Train(task.trial(), rung, rule.target(rung - 1), rule.target(rung));
      start(next, attempt.lease, attempt.firstGpu, attempt.gpus, attempt.order, false);
    }
  }

  /** Returns how often the last checkpoint of a task is torn. */
  private int torn(Train task) {
    BracketShares shares = rule.shares();
    boolean isFirst = task.rung() > 0 && shares.bracket(task.trial()) == task.rung();
    TrialGroup group =
        rule.isStopping()
            ? new TrialGroup("r", rule.drawnTrials(), 0, rule.target(rule.lastRung()))
            : isFirst && rule.brackets() > 1
                ? rule.laterStarts().get(task.rung() - 1)
                : rule.rungs().get(task.rung());
    return numbers.torn(group, profile, plan.column(task.trial()));
  }

  private void apply(SearchEvent event) {
    boolean opens = state.phase() == Phase.OPEN;
    SearchStep<RungState> step = search.step(state, event);
    state = step.state();
    for (SearchDecision decision : step.decisions()) {
      if (decision instanceof Train task) {
        begin(task, gpus(opens));
      }
    }
  }

  private int gpus(boolean opens) {
    return (opens ? plan.sizes.open() : plan.sizes.closing()).gpus();
  }

  private void begin(Train task, int gpus) {
    ReferenceLease lease = leaseFor(task.trial(), gpus).orElseThrow();
    int to = rule.isStopping() ? rule.target(task.rung()) : task.to();
    Integer continued = saved.remove(task.trial());
    int from = continued == null ? task.from() : Math.min(continued, to - 1);
    Train part = new Train(task.trial(), task.rung(), from, to);
    start(part, lease, firstFree(lease, gpus), gpus, started++, true);
  }

  private void start(
      Train task, ReferenceLease lease, int firstGpu, int gpus, int order, boolean starts) {
    double unitS = plan.unitS[gpus == plan.sizes.open().gpus() ? 0 : 1];
    double workS = draws.workS(task, unitS) * lease.y;
    double startupS = starts ? draws.startupS(task) : 0;
    running.add(new Attempt(task, order, attempts++, lease, firstGpu, gpus, now, startupS, workS));
    running.sort(Comparator.comparingInt(attempt -> attempt.number));
  }

  private void serve() {
    int before = -1;
    while (state.phase() != Phase.FINISHED && before != started) {
      before = started;
      if (state.phase() == Phase.OPEN
          && stopS < NEVER
          && !search.admits(state, stopS - now, plan.unitS[0])
          && leaseFor(0, gpus(true)).isPresent()) {
        apply(new SearchEvent.Close(SearchEvent.CloseReason.TIME));
      }
      if (leaseFor(0, gpus(state.phase() == Phase.OPEN)).isPresent()) {
        apply(new SearchEvent.Fits());
      }
    }
  }

  private Optional<ReferenceLease> leaseFor(int trial, int gpus) {
    List<ReferenceLease> fitting =
        held.stream()
            .filter(lease -> ready.contains(lease) && firstFree(lease, gpus) >= 0)
            .toList();
    return fitting.stream()
        .filter(lease -> lease != hungOn.get(trial))
        .findFirst()
        .or(() -> fitting.stream().findFirst());
  }

  private int firstFree(ReferenceLease lease, int gpus) {
    long taken = 0;
    for (Attempt attempt : running) {
      taken |= attempt.lease == lease ? PoolPlacement.mask(attempt.firstGpu, attempt.gpus) : 0;
    }
    return PoolPlacement.firstFree(taken, gpus, offer.gpus());
  }

  @Override
  int replaced() {
    return state.phase() == Phase.OPEN
        ? plan.sizes.open().instances()
        : search.keptInstances(
            state, plan.sizes.closing().instances(), offer.gpus() / plan.sizes.closing().gpus());
  }

  private void release() {
    if (plan.sizes.hold() || state.phase() != Phase.CLOSING) {
      return;
    }
    int promotable = search.promotable(state);
    for (int i = held.size() - 1; i >= 0 && held.size() > replaced(); i--) {
      ReferenceLease lease = held.get(i);
      boolean isIdle = running.stream().noneMatch(attempt -> attempt.lease == lease);
      if (isIdle && (promotable == 0 || ready.contains(lease))) {
        end(lease);
      }
    }
  }
}
