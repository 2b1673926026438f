package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.search.SearchStep;
import io.elastune.core.search.TrialResult;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs a search made of rungs (docs/searches.md, "ASHA"): passes what happens to {@link
 * RungSearch}, starts a task whenever one fits, and releases instances when no new trial starts any
 * more. The tasks of the search are compared with the attempts at every event, so that a resumed
 * run continues the same search.
 */
final class RungScheduler {
  private static final int CHAIN = RungChain.INDEX;

  private final Transition transition;
  private final RungSearch search;

  private RungScheduler(Transition transition) {
    this.transition = transition;
    this.search = new RungSearch(transition.definition.workload().rungs().orElseThrow());
  }

  static void begin(Transition transition) {
    RungScheduler scheduler = new RungScheduler(transition);
    transition.chain(CHAIN, ChainState.ofRungs(scheduler.search.initial(), transition.now));
    start(transition, scheduler.search.rule());
  }

  /** Requests the instances with which the search opens. */
  static void start(Transition transition, RungRule rule) {
    TrialGroup open = transition.group(CHAIN).orElseThrow();
    Allocation allocation = transition.allocation(open);
    int requested =
        ClusterManager.request(transition, CHAIN, open, allocation.offer(), allocation.instances());
    transition.recordGroupStart(
        open,
        DecisionReason.of(
            ReasonCode.GROUP_STARTED,
            Integer.toString(rule.target(rule.lastRung())),
            allocation.offer()),
        Map.of(
            "trials", (double) rule.trials(),
            "instances", (double) allocation.instances(),
            "requested", (double) requested));
  }

  /** Passes a report to the search, which may stop the trial. */
  static void reported(Transition transition, AttemptState attempt, EngineEvent.Reported event) {
    RungScheduler scheduler = new RungScheduler(transition);
    Double metric = event.metrics().get(transition.definition.metric().name());
    boolean isRepeated = event.unit() <= attempt.lastUnit();
    if (scheduler.search.rule().isStopping()
        && attempt.isActive()
        && !isRepeated
        && event.unit() <= attempt.to()) {
      double value = metric == null ? Double.NaN : metric;
      scheduler.keepResult(attempt.trial(), event.unit(), value);
      scheduler.step(
          new SearchEvent.Reported(attempt.trial(), event.unit(), scheduler.loss(value)));
    }
  }

  /** Keeps the result of a trial in a rung below the last one, also if it is stopped there. */
  private void keepResult(int trial, int unit, double metric) {
    int rung = state().tasks().getOrDefault(trial, search.rule().lastRung());
    if (rung < search.rule().lastRung() && unit >= search.rule().target(rung)) {
      transition.trial(trial, known -> known.withResult(search.rule().target(rung), metric));
    }
  }

  /** Ends the search at its time. */
  static void tick(Transition transition) {
    new RungScheduler(transition).endAtTime();
  }

  private void endAtTime() {
    if (!isActive() || !SearchTime.hasPassed(transition)) {
      return;
    }
    transition.recordDecision(
        DecisionKind.CLOSE,
        DecisionReason.of(ReasonCode.SEARCH_ENDED_AT_TIME),
        Map.of("running", (double) transition.attempts().size()));
    step(new SearchEvent.End());
  }

  static void advance(Transition transition) {
    RungScheduler scheduler = new RungScheduler(transition);
    if (!transition.group(CHAIN).isPresent()) {
      if (transition.chain(CHAIN).rungs().filter(RungState::isFinished).isPresent()) {
        RungOutcomes.stopRest(transition); // another controller may have taken over
      }
      return;
    }
    scheduler.compareTasks();
    scheduler.endAtTime();
    if (scheduler.isActive() && scheduler.state().isFinished()) {
      new RungOutcomes(transition, scheduler.search.rule()).finish();
    }
    if (scheduler.isActive()) {
      RungOutcomes.stopIfMetricIsUnusable(transition, scheduler.state());
    }
    if (scheduler.isDivided()) {
      scheduler.divide();
    } else {
      scheduler.serve();
    }
    if (scheduler.isActive()) {
      scheduler.release();
    }
  }

  private boolean isActive() {
    return transition.running() && transition.group(CHAIN).isPresent();
  }

  /** Whether Fluid divides the instances among the tasks. */
  private boolean isDivided() {
    return FluidScheduler.handles(transition);
  }

  private RungState state() {
    return transition.chain(CHAIN).rungs().orElseThrow();
  }

  private double loss(double metric) {
    return TrialResult.loss(metric, transition.definition.metric().goal());
  }

  /** Reports to the search which of its tasks have ended, and discards what is not its task. */
  private void compareTasks() {
    Set<Integer> running =
        transition.attempts().stream().map(AttemptState::trial).collect(Collectors.toSet());
    state()
        .tasks()
        .forEach(
            (trial, rung) -> {
              TrialState known = transition.trial(trial);
              if (!running.contains(trial)
                  && known.isConfigured()
                  && transition.group(CHAIN).isPresent()) {
                ended(known, rung);
              }
            });
    for (AttemptState attempt : transition.attempts()) {
      if (attempt.isActive() && !state().tasks().containsKey(attempt.trial())) {
        RungOutcomes.discard(transition, attempt);
      }
    }
  }

  private void ended(TrialState trial, int rung) {
    RungRule rule = search.rule();
    int to = rule.isStopping() ? rule.target(rule.lastRung()) : rule.target(rung);
    if (trial.status() == TrialState.Status.FAILED) {
      taskEnded(trial.trial());
      step(new SearchEvent.Dropped(trial.trial()));
    } else if (trial.unit() >= to) {
      taskEnded(trial.trial());
      double loss = loss(trial.metric().orElse(Double.NaN));
      step(new SearchEvent.Reached(trial.trial(), loss, trial.endedEarly()));
    } else if (!isDivided() && !state().interrupted().contains(trial.trial())) {
      step(new SearchEvent.Interrupted(trial.trial()));
    }
  }

  private void taskEnded(int trial) {
    if (isDivided()) {
      FluidScheduler.ended(transition, trial);
    }
  }

  /** Issues as many tasks as may be unfinished at once. Fluid starts them. */
  private void divide() {
    boolean issued = true;
    while (issued && isActive() && state().tasks().size() < mostTasks()) {
      closeAtLimit();
      issued = issue();
    }
    if (isActive()) {
      FluidScheduler.divide(transition);
    }
    if (transition.group(CHAIN).isPresent()) {
      transition.chain(CHAIN, transition.chain(CHAIN).withWaiting(RungGroup.waiting(transition)));
    }
  }

  private int mostTasks() {
    Allocation allocation = transition.allocation(transition.group(CHAIN).orElseThrow());
    int gpus = transition.definition.offer(allocation.offer()).gpus();
    return search.rule().mostTasks(allocation.instances() * gpus);
  }

  private boolean issue() {
    boolean issued = false;
    for (SearchDecision decision : step(new SearchEvent.Fits())) {
      if (decision instanceof SearchDecision.Train task) {
        RungTasks.issue(transition, task);
        issued = true;
      }
    }
    return issued;
  }

  /** Starts tasks as long as they fit. */
  private void serve() {
    boolean started = true;
    while (started && isActive()) {
      closeAtLimit();
      started = isActive() && startNext(); // a search that closes with nothing left to do has ended
    }
    if (transition.group(CHAIN).isPresent()) {
      transition.chain(
          CHAIN, transition.chain(CHAIN).withWaiting(List.copyOf(state().interrupted())));
    }
  }

  private boolean startNext() {
    boolean isNew = isNextNew();
    TrialGroup group =
        isNew
            ? transition.chainDefinition(CHAIN).groups().get(0)
            : transition.group(CHAIN).orElseThrow();
    Allocation allocation = transition.allocation(group);
    List<List<GpuSlot>> free =
        isNew
            ? RungPool.slotsOfNew(transition, allocation)
            : RungPool.freeSlots(transition, allocation);
    return !free.isEmpty() && issue(group, free);
  }

  /**
   * Whether the next task is that of a new trial that waited for its configuration. It belongs to
   * the phase open, although the search may have begun to close.
   */
  private boolean isNextNew() {
    return search
        .nextInterrupted(state())
        .filter(trial -> transition.trial(trial).attempts() == 0)
        .isPresent();
  }

  private boolean issue(TrialGroup group, List<List<GpuSlot>> free) {
    RungState before = state();
    boolean started = false;
    for (SearchDecision decision : step(new SearchEvent.Fits())) {
      if (decision instanceof SearchDecision.Train task) {
        boolean again = before.interrupted().contains(task.trial());
        RungTasks.start(transition, group, task, free, again);
        started = true;
      }
    }
    return started;
  }

  /**
   * With {@code on_reach: finish-group}, no new trial starts when the forecast exceeds the budget;
   * with {@code deadline_miss: close}, none after the deadline; with {@code search.stop.time}, none
   * when too little time is left.
   */
  private void closeAtLimit() {
    if (state().phase() != RungState.Phase.OPEN) {
      return;
    }
    if (LimitWatchdog.closesAtDeadline(transition)) {
      step(new SearchEvent.Close(SearchEvent.CloseReason.DEADLINE));
    } else if (!LimitWatchdog.isForecastInBudget(transition)) {
      step(new SearchEvent.Close(SearchEvent.CloseReason.BUDGET));
    } else if (!hasTimeForTrial()) {
      step(new SearchEvent.Close(SearchEvent.CloseReason.TIME));
    }
  }

  /** Whether a new trial has enough time, if one fits on free GPUs. */
  private boolean hasTimeForTrial() {
    double unitS = search.rule().newUnitS();
    if (search.admits(state(), SearchTime.leftS(transition), unitS)) {
      return true;
    }
    if (isDivided()) {
      return false; // another task may be issued
    }
    TrialGroup group = transition.group(CHAIN).orElseThrow();
    Allocation allocation = transition.allocation(group);
    return RungPool.freeSlots(transition, allocation).isEmpty();
  }

  /** Ends the search at once, because a trial has reached its target. */
  static void end(Transition transition) {
    new RungScheduler(transition).step(new SearchEvent.End());
  }

  /** Applies an event to the search, and all its decisions except the start of tasks. */
  private List<SearchDecision> step(SearchEvent event) {
    SearchStep<RungState> step = search.step(state(), event);
    transition.chain(CHAIN, transition.chain(CHAIN).withRungs(step.state()));
    RungOutcomes outcomes = new RungOutcomes(transition, search.rule());
    for (SearchDecision decision : step.decisions()) {
      outcomes.apply(decision, event);
    }
    return step.decisions();
  }

  /**
   * Releases idle instances beyond those that the search needs, the highest number first. An
   * instance on which a trial starts once it has its configuration is not idle.
   */
  private void release() {
    boolean discards =
        transition.attempts().stream()
            .anyMatch(attempt -> attempt.ending() == AttemptState.EndReason.DISCARDED);
    boolean isOpen = state().phase() == RungState.Phase.OPEN;
    boolean keepsAll = isOpen && RungPool.surplus(transition).isEmpty();
    if (keepsAll || transition.holdsInstances() || discards) {
      return; // a discarded attempt makes its own instance idle when it has ended
    }
    Set<String> reserved =
        RungPool.reserved(transition).stream()
            .map(slot -> slot.get(0).lease())
            .collect(Collectors.toSet());
    Allocation allocation = transition.allocation(transition.group(CHAIN).orElseThrow());
    List<LeaseState> held = transition.held(CHAIN, allocation.offer());
    boolean unreadyAreIdle = isOpen || search.promotable(state()) == 0;
    held.stream()
        .filter(lease -> !transition.occupied(lease.lease()) && !reserved.contains(lease.lease()))
        .filter(lease -> lease.isReady() || unreadyAreIdle)
        .sorted(Comparator.comparingInt(LeaseState::number).reversed())
        .limit(Math.max(0, held.size() - RungPool.needed(transition, allocation)))
        .forEach(lease -> transition.release(lease, ReasonCode.RELEASED_IDLE));
  }
}
