package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/** The mutable state of one step of the decision core, with the commands and notes of the step. */
final class Transition {
  /** Reports that arrive later than this come from a clock that may differ. */
  private static final double PROMPT_S = 1;

  /** The error of times that are rounded, in seconds. */
  static final double ROUNDING_S = 1e-6;

  /** The number of the only pool if chains share their instances. */
  static final int SHARED_POOL = 0;

  final RunDefinition definition;
  final Instant now;

  /** The time of the state before the event. */
  final Instant previousTime;

  private final Optional<Instant> began;
  private final TrackedValue<RunState.Phase> phase;
  private final TrackedValue<ReplanState> replanState;
  private final TrackedValue<List<ChainState>> chains;
  private final CopyOnWriteMap<Integer, TrialState> trials;
  private final CopyOnWriteMap<String, AttemptState> attempts;
  private final CopyOnWriteMap<Integer, LeaseState> leases;
  private final List<Command> commands = new ArrayList<>();
  private final List<JournalNote> journalNotes = new ArrayList<>();
  private ShutdownState ending;
  private ClockError clock;

  Transition(RunDefinition definition, RunState state, RunEvent event) {
    this.definition = definition;
    // Clocks of different machines may disagree: time never runs backwards here.
    now = event.at().isBefore(state.now()) ? state.now() : event.at();
    previousTime = state.now();
    // Time without a controller counts, even before the first event.
    Instant confirmed = previousTime.equals(Instant.EPOCH) ? now : previousTime;
    began = state.began().or(() -> Optional.of(confirmed));
    phase = new TrackedValue<>(state.phase(), (one, other) -> true);
    ending = state.ending();
    clock = state.clock();
    chains = new TrackedValue<>(state.chains(), (one, other) -> !one.equals(other));
    trials = new CopyOnWriteMap<>(state.trials(), (one, other) -> true);
    attempts =
        new CopyOnWriteMap<>(state.attempts(), (one, other) -> one.ending() != other.ending());
    leases = new CopyOnWriteMap<>(state.leases(), (one, other) -> !one.equals(other));
    replanState = new TrackedValue<>(state.steering(), Transition::isAnotherPlan);
  }

  StepResult toStepResult() {
    return new StepResult(snapshot(), commands, journalNotes);
  }

  /** The present state, for rules that only read it. */
  RunState snapshot() {
    return new RunState(
        phase.get(),
        began,
        now,
        ending,
        chains.get(),
        trials.share(),
        attempts.share(),
        leases.share(),
        replanState.get(),
        clock);
  }

  /** What reports change in it, e.g. the measured speed, starts or releases nothing. */
  private static boolean isAnotherPlan(ReplanState one, ReplanState other) {
    return !one.changed().equals(other.changed()) || !one.moving().equals(other.moving());
  }

  /**
   * Whether anything has changed that may start trials, end groups or release instances. A report
   * alone changes nothing of that kind, and most events are reports.
   */
  boolean moved() {
    return phase.isDirty()
        || chains.isDirty()
        || trials.isDirty()
        || attempts.isDirty()
        || leases.isDirty()
        || replanState.isDirty();
  }

  Instant startedAt() {
    return began.orElse(now);
  }

  /** Returns the seconds since the start of the run. */
  double elapsedS() {
    return Seconds.between(startedAt(), now);
  }

  /**
   * Whether a report is received within a second, so that its time shows when the attempt started:
   * its clock agrees with the controller's.
   */
  boolean isPrompt(Instant at) {
    return Seconds.between(at, now) <= PROMPT_S;
  }

  /** Returns the seconds until the deadline; negative after it, infinite without one. */
  double deadlineLeftS() {
    return definition.deadlineOrInfinityS() - elapsedS();
  }

  /** Whether the deadline is reached, up to the error of rounded times. */
  boolean isDeadlineReached() {
    return deadlineLeftS() < ROUNDING_S;
  }

  RunState.Phase phase() {
    return phase.get();
  }

  void phase(RunState.Phase other) {
    phase.set(other);
  }

  ShutdownState ending() {
    return ending;
  }

  void ending(ShutdownState other) {
    ending = other;
  }

  /** How far the controller's clock may be ahead of the cloud's. */
  ClockError clock() {
    return clock;
  }

  /**
   * How many seconds the controller's clock may be ahead of that of an instance. Instances of this
   * machine have the same one.
   */
  double aheadS(LeaseState lease) {
    return definition.isOnThisMachine(lease) ? 0 : clock.aheadS();
  }

  void clock(ClockError other) {
    clock = other;
  }

  /** The end of the group that ended last. */
  Optional<Instant> lastEnd() {
    return chains.get().stream()
        .map(ChainState::lastEnd)
        .flatMap(Optional::stream)
        .max(Instant::compareTo);
  }

  boolean running() {
    return phase.get() == RunState.Phase.RUNNING;
  }

  void command(Command command) {
    commands.add(command);
  }

  void recordDecision(DecisionKind kind, DecisionReason reason, Map<String, Double> numbers) {
    journalNotes.add(new JournalNote.Decision(kind, "", reason, numbers));
  }

  void recordGroupStart(TrialGroup group, DecisionReason reason, Map<String, Double> numbers) {
    journalNotes.add(
        new JournalNote.Decision(DecisionKind.START_GROUP, group.name(), reason, numbers));
  }

  void recordFault(AttemptState attempt, String message) {
    journalNotes.add(new JournalNote.TrialFault(attempt.trial(), attempt.attempt(), message));
  }

  /**
   * Begins to stop the run; a weaker reason does not replace a stronger one.
   *
   * @param now whether to stop without checkpoints
   */
  void stop(RunOutcome outcome, DecisionReason reason, boolean now) {
    if (running()) {
      ending = ending.combinedWith(outcome, reason);
      phase(RunState.Phase.STOPPING);
      recordDecision(DecisionKind.STOP, reason, Map.of("exit", (double) outcome.exitCode()));
    } else if (!now || phase() != RunState.Phase.STOPPING) {
      return;
    }
    for (AttemptState attempt : attempts()) {
      if (attempt.ending() == AttemptState.EndReason.INHERITED) {
        command(attempt.adoptCommand());
      }
      if (attempt.ending() != AttemptState.EndReason.LOST
          && attempt.ending() != AttemptState.EndReason.DISCARDED) {
        put(attempt.ending(AttemptState.EndReason.STOPPING, this.now));
      }
      command(
          now
              ? new Command.KillAttempt(attempt.attempt())
              : new Command.StopAttempt(attempt.attempt()));
    }
  }

  /**
   * Releases an instance.
   *
   * @param why a reason whose only detail is the lease
   */
  void release(LeaseState lease, ReasonCode why) {
    put(lease.releasing(now));
    command(new Command.ReleaseInstance(lease.lease()));
    recordDecision(DecisionKind.RELEASE, DecisionReason.of(why, lease.lease()), Map.of());
  }

  int chainCount() {
    return chains.get().size();
  }

  ChainState chain(int index) {
    return chains.get().get(index);
  }

  void chain(int index, ChainState other) {
    List<ChainState> others = new ArrayList<>(chains.get());
    others.set(index, other);
    chains.set(others);
  }

  Chain chainDefinition(int chain) {
    return definition.workload().chains().get(chain);
  }

  /** Whether the last group of every chain has ended: nothing is left to train. */
  boolean hasEndedAllGroups() {
    for (int chain = 0; chain < chainCount(); chain++) {
      if (chain(chain).group() < chainDefinition(chain).groups().size()) {
        return false;
      }
    }
    return true;
  }

  /** The chain's group in progress; empty if all have ended. */
  Optional<TrialGroup> group(int chain) {
    List<TrialGroup> groups = chainDefinition(chain).groups();
    int index = chain(chain).group();
    boolean underWay = index < groups.size() && !chain(chain).started().isEmpty();
    return underWay ? Optional.of(groups.get(index)) : Optional.empty();
  }

  Allocation allocation(TrialGroup group) {
    Allocation changed = replanState.get().changed().get(group.name());
    return changed == null ? definition.plan().of(group) : changed;
  }

  /** Whether nothing is released before the end of the last group. */
  boolean holdsInstances() {
    return definition.plan().hold()
        && (definition.isProfiling() || replanState.get().changed().isEmpty());
  }

  ReplanState steering() {
    return replanState.get();
  }

  void steering(ReplanState other) {
    replanState.set(other);
  }

  /** The budget of the run in USD. */
  OptionalDouble budgetLeftUsd() {
    OptionalDouble allowed = replanState.get().allowance().allowedUsd();
    return allowed.isPresent() ? allowed : definition.budgetLeftUsd();
  }

  /** Records an unplanned change after which the rest of the run may need a new plan. */
  void doubt(ReplanReason why) {
    if (definition.planning().isPresent()) {
      replanState.set(replanState.get().requestingReplan(why));
    }
  }

  SortedMap<Integer, TrialState> trials() {
    return trials.view();
  }

  TrialState trial(int trial) {
    TrialState state = trials.view().get(trial);
    if (state == null) {
      throw new IllegalStateException("no trial " + trial);
    }
    return state;
  }

  void trial(int trial, UnaryOperator<TrialState> change) {
    trials.put(trial, change.apply(trial(trial)));
  }

  void addTrial(TrialState trial) {
    trials.put(trial.trial(), trial);
  }

  Optional<AttemptState> attempt(String attempt) {
    return Optional.ofNullable(attempts.view().get(attempt));
  }

  /** A copy of the attempts in progress. */
  List<AttemptState> attempts() {
    return List.copyOf(attempts.view().values());
  }

  List<AttemptState> attemptsOf(int chain) {
    return attempts.view().values().stream().filter(attempt -> attempt.chain() == chain).toList();
  }

  boolean hasAttempts() {
    return !attempts.view().isEmpty();
  }

  boolean hasAttempts(int chain) {
    for (AttemptState attempt : attempts.view().values()) {
      if (attempt.chain() == chain) {
        return true;
      }
    }
    return false;
  }

  /** Whether a trial runs on the instance. */
  boolean occupied(String lease) {
    for (AttemptState attempt : attempts.view().values()) {
      if (attempt.uses(lease)) {
        return true;
      }
    }
    return false;
  }

  /** Adds an attempt, or changes one. */
  void put(AttemptState attempt) {
    attempts.put(attempt.attempt(), attempt);
  }

  void remove(AttemptState attempt) {
    attempts.remove(attempt.attempt());
  }

  List<LeaseState> leases() {
    return List.copyOf(leases.view().values());
  }

  Optional<LeaseState> lease(String id) {
    for (LeaseState lease : leases.view().values()) {
      if (lease.lease().equals(id)) {
        return Optional.of(lease);
      }
    }
    return Optional.empty();
  }

  LeaseState lease(int number) {
    LeaseState lease = leases.view().get(number);
    if (lease == null) {
      throw new IllegalStateException("no lease " + number);
    }
    return lease;
  }

  void put(LeaseState lease) {
    leases.put(lease.number(), lease);
  }

  /** The number of the pool of instances that {@code chain} uses. */
  int pool(int chain) {
    return definition.plan().shared() ? SHARED_POOL : chain;
  }

  /** Leases of {@code chain} that can take trials of {@code offer} now or later, by number. */
  List<LeaseState> held(int chain, String offer) {
    int pool = pool(chain);
    return leases.view().values().stream()
        .filter(lease -> lease.pool() == pool && lease.held() && lease.offer().equals(offer))
        .toList();
  }
}
