package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.search.SearchDecision;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.HyperSchedProgress;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs a search until its deadline on a fixed cluster that {@link HyperSchedPolicy} divides among
 * the trials (docs/searches.md, "HyperSched").
 */
final class HyperSchedScheduler {
  private static final int CHAIN = RungChain.INDEX;

  private final Transition transition;
  private final HyperSchedDefinition definition;
  private final HyperSchedPolicy policy;
  private final RungRule rungs;
  private final PolicyCluster cluster;

  private HyperSchedScheduler(Transition transition) {
    this.transition = transition;
    this.definition = transition.definition.hyperSched().orElseThrow();
    this.policy = new HyperSchedPolicy(definition.rule(), definition);
    this.rungs = transition.definition.workload().rungs().orElseThrow();
    this.cluster = new PolicyCluster(transition, CHAIN);
  }

  static void begin(Transition transition) {
    HyperSchedScheduler scheduler = new HyperSchedScheduler(transition);
    transition.chain(
        CHAIN,
        ChainState.ofHyperSched(HyperSchedProgress.of(scheduler.policy.initial()), transition.now));
    RungScheduler.start(transition, scheduler.rungs);
  }

  /**
   * Keeps the report of a trial. The policy sees it in the same step.
   *
   * @param before the attempt before the report
   */
  static void reported(Transition transition, AttemptState before, EngineEvent.Reported event) {
    HyperSchedScheduler scheduler = new HyperSchedScheduler(transition);
    TrialState trial = transition.trial(before.trial());
    scheduler.measure(before, event);
    TrialReports.record(
        transition,
        before,
        event,
        scheduler.definition.startupS(),
        scheduler.definition.perUnit(before.width()),
        OptionalDouble.empty());
    int unit = transition.trial(before.trial()).lastReport().unit();
    Double metric = event.metrics().get(transition.definition.metric().name());
    if (unit > trial.lastReport().unit()) {
      int passed = scheduler.lastTarget(unit);
      transition.trial(
          before.trial(), state -> state.withResult(passed, metric == null ? Double.NaN : metric));
    }
  }

  /** Keeps what a report shows of start-ups and units. Units may be trained again. */
  private void measure(AttemptState before, EngineEvent.Reported event) {
    int units = event.unit() - before.lastUnit();
    OptionalDouble seconds = TrialReports.measuredS(transition, before, event);
    if (units <= 0 || event.unit() > before.to() || seconds.orElse(0) <= 0) {
      return;
    }
    double tookS = seconds.getAsDouble();
    if (TrialReports.isFirst(before)) {
      Set<String> active =
          transition.attempts().stream().map(AttemptState::attempt).collect(Collectors.toSet());
      HyperSchedProgress.FirstReport first = new HyperSchedProgress.FirstReport(units, tookS);
      store(progress().with(before.attempt(), first, active));
    } else {
      store(progress().withLater(before, tookS / units, definition.rule().narrowest()));
    }
  }

  /** The last target that {@code unit} has reached; 0 for none. */
  private int lastTarget(int unit) {
    return rungs.targets().stream()
        .filter(target -> target <= unit)
        .mapToInt(t -> t)
        .max()
        .orElse(0);
  }

  /** Ends the search at its deadline. */
  static void tick(Transition transition) {
    HyperSchedScheduler scheduler = new HyperSchedScheduler(transition);
    if (scheduler.isInProgress() && scheduler.transition.isDeadlineReached()) {
      scheduler.endAtDeadline();
    }
  }

  /** Pauses, starts, resumes and resizes trials, and ends the search when it has nothing to do. */
  static void advance(Transition transition) {
    HyperSchedScheduler scheduler = new HyperSchedScheduler(transition);
    boolean hasEnded =
        transition.chain(CHAIN).group() >= transition.chainDefinition(CHAIN).groups().size();
    if (hasEnded) {
      RungOutcomes.stopRest(transition); // another controller may have taken over
    } else if (scheduler.isInProgress()) {
      scheduler.advance();
    }
  }

  private boolean isInProgress() {
    return transition.running() && transition.group(CHAIN).isPresent();
  }

  private void advance() {
    if (transition.isDeadlineReached()) {
      endAtDeadline();
      return;
    }
    complete();
    HyperSchedState state = progress().state();
    RungOutcomes.stopIfMetricIsUnusable(
        transition,
        state.results().get(0).size(),
        state.results().get(0).values().stream().anyMatch(Double::isFinite));
    if (!transition.running()) {
      return;
    }
    assign();
    if (!transition.hasAttempts() && queue().isEmpty()) {
      finish();
    }
  }

  private HyperSchedProgress progress() {
    return transition
        .chain(CHAIN)
        .hyperSched()
        .orElseGet(() -> HyperSchedProgress.of(policy.initial()));
  }

  private void store(HyperSchedProgress progress) {
    transition.chain(CHAIN, transition.chain(CHAIN).withHyperSched(progress));
  }

  /** Trials that are trained to the end are completed. */
  private void complete() {
    for (TrialState trial : List.copyOf(transition.trials().values())) {
      boolean isTrained = trial.unit() >= rungs.target(rungs.lastRung());
      if (trial.status() == TrialState.Status.WAITING && isTrained) {
        transition.trial(trial.trial(), state -> state.as(TrialState.Status.COMPLETED));
      }
    }
  }

  private void assign() {
    HyperSchedProgress progress = progress();
    PolicyStep<HyperSchedState> step = policy.assign(progress.state(), view());
    boolean closes = step.state().isClosed() && !progress.state().isClosed();
    store(progress.with(step.state()));
    if (closes) {
      RungOutcomes.close(
          transition,
          ReasonCode.NO_TIME_FOR_TRIAL,
          transition.trials().size(),
          transition.attempts().size());
    }
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        start(start);
      } else if (decision instanceof PolicyDecision.Resize resize) {
        cluster.resize(resize, definition.perUnit(resize.from()), definition.checkpointS());
      } else if (decision instanceof PolicyDecision.Preempt preempt) {
        pause(preempt.trial());
      } else if (decision instanceof PolicyDecision.Stop stopped) {
        stop(stopped.trial());
      }
    }
    transition.chain(
        CHAIN,
        transition
            .chain(CHAIN)
            .withWaiting(waiting().stream().map(PolicyView.Task::trial).toList()));
  }

  private PolicyView view() {
    TrialGroup group = transition.group(CHAIN).orElseThrow();
    PolicyView.Timing timing = progress().times().replacing(definition.timing());
    return new PolicyView(
        group.name(),
        cluster.instances(transition.allocation(group).offer()),
        queue(),
        cluster.running(attempt -> task(transition.trial(attempt.trial()))),
        new PolicyView.Timing(transition.deadlineLeftS(), timing.startupS(), timing.unitS()));
  }

  /** The trials that wait, and those that can begin next. */
  private List<PolicyView.Task> queue() {
    List<PolicyView.Task> queue = new ArrayList<>(waiting());
    if (!progress().state().isClosed()) {
      int begun = transition.trials().size();
      IntStream.rangeClosed(
              begun + 1, HyperSchedPolicy.lastStartable(rungs.trials(), begun, gpus()))
          .forEach(trial -> queue.add(task(TrialState.fresh(trial, CHAIN))));
    }
    return queue;
  }

  /** The GPUs of all instances. */
  private int gpus() {
    Allocation allocation = transition.allocation(transition.group(CHAIN).orElseThrow());
    return allocation.instances() * transition.definition.offer(allocation.offer()).gpus();
  }

  /** The trials that have begun, and wait. */
  private List<PolicyView.Task> waiting() {
    return transition.trials().values().stream()
        .filter(trial -> trial.status() == TrialState.Status.WAITING)
        .map(this::task)
        .toList();
  }

  private PolicyView.Task task(TrialState trial) {
    int unitsLeft = rungs.target(rungs.lastRung()) - trial.lastReport().unit();
    return new PolicyView.Task(trial.trial(), unitsLeft, 1, trial.reports());
  }

  private void start(PolicyDecision.Start start) {
    if (!transition.trials().containsKey(start.trial())) {
      transition.addTrial(TrialState.fresh(start.trial(), CHAIN));
      Proposals.request(transition, List.of(start.trial()));
    }
    TrialState trial = transition.trial(start.trial());
    if (trial.isConfigured()) { // otherwise it starts once it has its configuration
      int to = rungs.target(rungs.lastRung());
      RungTasks.start(
          transition,
          transition.group(CHAIN).orElseThrow(),
          new SearchDecision.Train(trial.trial(), rungs.lastRung(), trial.checkpoint(), to),
          trial,
          cluster.slots(start),
          start.width().trialsPerGpu());
    }
  }

  private void pause(int trial) {
    double unitS = definition.perUnit(cluster.attempt(trial).width());
    cluster.preempt(trial, ReasonCode.TRIAL_PAUSED, unitS, definition.checkpointS());
  }

  private void stop(int number) {
    if (!transition.trials().containsKey(number)) {
      return; // it has not begun
    }
    TrialState trial = transition.trial(number);
    transition.recordDecision(
        DecisionKind.STOP_TRIAL,
        DecisionReason.of(
            ReasonCode.TRIAL_NOT_RESUMED,
            Integer.toString(number),
            Integer.toString(trial.lastReport().unit())),
        Map.of());
    transition.trial(number, state -> state.as(TrialState.Status.STOPPED));
  }

  private void endAtDeadline() {
    transition.recordDecision(
        DecisionKind.DEADLINE,
        DecisionReason.of(ReasonCode.SEARCH_ENDED_AT_DEADLINE),
        Map.of("running", (double) transition.attempts().size()));
    if (transition.trials().values().stream().noneMatch(TrialState::hasValue)) {
      transition.ending(transition.ending().combinedWith(RunOutcome.DEADLINE_MISSED));
    }
    finish();
  }

  /** Ends the search at once, because a trial has reached its target. */
  static void end(Transition transition) {
    new HyperSchedScheduler(transition).finish();
  }

  private void finish() {
    boolean isLate = transition.ending().outcome() == RunOutcome.DEADLINE_MISSED;
    new RungOutcomes(transition, rungs).finish(isLate);
  }
}
