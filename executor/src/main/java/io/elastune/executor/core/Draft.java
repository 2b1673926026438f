package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/** The mutable state of one step of the decision core, with the commands and notes of the step. */
final class Draft {
  final RunDefinition definition;
  final Instant now;

  /** The time of the state before the event. */
  final Instant before;

  private final Optional<Instant> began;
  private final Tracked<RunState.Phase> phase;
  private final Tracked<Steering> steering;
  private final Tracked<List<ChainState>> chains;
  private final OwnedMap<Integer, TrialState> trials;
  private final OwnedMap<String, AttemptState> attempts;
  private final OwnedMap<Integer, LeaseState> leases;
  private final List<Command> commands = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private RunEnding ending;

  Draft(RunDefinition definition, RunState state, RunEvent event) {
    this.definition = definition;
    // Clocks of different machines may disagree: time never runs backwards here.
    now = event.at().isBefore(state.now()) ? state.now() : event.at();
    before = state.now();
    // Time without a controller counts, even before the first event.
    Instant confirmed = before.equals(Instant.EPOCH) ? now : before;
    began = state.began().or(() -> Optional.of(confirmed));
    phase = new Tracked<>(state.phase(), (one, other) -> true);
    ending = state.ending();
    chains = new Tracked<>(state.chains(), (one, other) -> !one.equals(other));
    trials = new OwnedMap<>(state.trials(), (one, other) -> true);
    attempts = new OwnedMap<>(state.attempts(), (one, other) -> one.ending() != other.ending());
    leases = new OwnedMap<>(state.leases(), (one, other) -> !one.equals(other));
    steering = new Tracked<>(state.steering(), Draft::isAnotherPlan);
  }

  Step freeze() {
    return new Step(peek(), commands, notes);
  }

  /** The present state, for rules that only read it. */
  RunState peek() {
    return new RunState(
        phase.get(),
        began,
        now,
        ending,
        chains.get(),
        trials.lend(),
        attempts.lend(),
        leases.lend(),
        steering.get());
  }

  /** What reports change in it, e.g. the measured speed, starts or releases nothing. */
  private static boolean isAnotherPlan(Steering one, Steering other) {
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
        || steering.isDirty();
  }

  Instant began() {
    return began.orElse(now);
  }

  RunState.Phase phase() {
    return phase.get();
  }

  void phase(RunState.Phase other) {
    phase.set(other);
  }

  RunEnding ending() {
    return ending;
  }

  void ending(RunEnding other) {
    ending = other;
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

  void note(DecisionKind kind, String reason, Map<String, Double> numbers) {
    notes.add(new Note.Decision(kind, "", reason, numbers));
  }

  void noteStart(TrialGroup group, String reason, Map<String, Double> numbers) {
    notes.add(new Note.Decision(DecisionKind.START_GROUP, group.name(), reason, numbers));
  }

  void fault(AttemptState attempt, String message) {
    notes.add(new Note.TrialFault(attempt.trial(), attempt.attempt(), message));
  }

  /**
   * Begins to stop the run; a weaker reason does not replace a stronger one.
   *
   * @param now whether to stop without checkpoints
   */
  void stop(RunOutcome outcome, String reason, boolean now) {
    if (running()) {
      ending = ending.because(outcome, reason);
      phase(RunState.Phase.STOPPING);
      note(DecisionKind.STOP, reason, Map.of("exit", (double) outcome.exitCode()));
    } else if (!now || phase() != RunState.Phase.STOPPING) {
      return;
    }
    for (AttemptState attempt : attempts()) {
      if (attempt.ending() == AttemptState.Ending.INHERITED) {
        command(new Command.AdoptAttempt(attempt.start(), attempt.lastUnit()));
      }
      if (attempt.ending() != AttemptState.Ending.LOST) {
        put(attempt.ending(AttemptState.Ending.STOPPING, this.now));
      }
      command(
          now
              ? new Command.KillAttempt(attempt.attempt())
              : new Command.StopAttempt(attempt.attempt()));
    }
  }

  /** Releases an instance. */
  void release(LeaseState lease, String reason) {
    put(lease.idle(now).releasing(now));
    command(new Command.ReleaseInstance(lease.lease()));
    note(DecisionKind.RELEASE, lease.lease() + ": " + reason, Map.of());
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

  Chain groupsOf(int chain) {
    return definition.workload().chains().get(chain);
  }

  /** The chain's group in progress; empty if all have ended. */
  Optional<TrialGroup> group(int chain) {
    List<TrialGroup> groups = groupsOf(chain).groups();
    int index = chain(chain).group();
    boolean underWay = index < groups.size() && !chain(chain).started().isEmpty();
    return underWay ? Optional.of(groups.get(index)) : Optional.empty();
  }

  Allocation allocation(TrialGroup group) {
    Allocation changed = steering.get().changed().get(group.name());
    return changed == null ? definition.plan().of(group) : changed;
  }

  /** Whether nothing is released before the end of the last group. */
  boolean hold() {
    return definition.plan().hold() && steering.get().changed().isEmpty();
  }

  Steering steering() {
    return steering.get();
  }

  void steering(Steering other) {
    steering.set(other);
  }

  /** The budget of the run in USD. */
  OptionalDouble budgetLeftUsd() {
    OptionalDouble allowed = steering.get().allowance().allowedUsd();
    return allowed.isPresent() ? allowed : definition.budgetLeftUsd();
  }

  /** Records an unplanned change after which the rest of the run may need a new plan. */
  void doubt(String why) {
    if (definition.planning().isPresent()) {
      steering.set(steering.get().doubting(why));
    }
  }

  SortedMap<Integer, TrialState> trials() {
    return trials.look();
  }

  TrialState trial(int trial) {
    TrialState state = trials.look().get(trial);
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
    return Optional.ofNullable(attempts.look().get(attempt));
  }

  /** A copy of the attempts in progress. */
  List<AttemptState> attempts() {
    return List.copyOf(attempts.look().values());
  }

  List<AttemptState> attemptsOf(int chain) {
    return attempts.look().values().stream().filter(attempt -> attempt.chain() == chain).toList();
  }

  boolean hasAttempts() {
    return !attempts.look().isEmpty();
  }

  boolean hasAttempts(int chain) {
    for (AttemptState attempt : attempts.look().values()) {
      if (attempt.chain() == chain) {
        return true;
      }
    }
    return false;
  }

  /** Whether a trial runs on the instance. */
  boolean occupied(String lease) {
    for (AttemptState attempt : attempts.look().values()) {
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
    return List.copyOf(leases.look().values());
  }

  Optional<LeaseState> lease(String id) {
    for (LeaseState lease : leases.look().values()) {
      if (lease.lease().equals(id)) {
        return Optional.of(lease);
      }
    }
    return Optional.empty();
  }

  LeaseState lease(int number) {
    LeaseState lease = leases.look().get(number);
    if (lease == null) {
      throw new IllegalStateException("no lease " + number);
    }
    return lease;
  }

  void put(LeaseState lease) {
    leases.put(lease.number(), lease);
  }

  /** Leases of {@code chain} that can take trials of {@code offer} now or later, by number. */
  List<LeaseState> held(int chain, String offer) {
    return leases.look().values().stream()
        .filter(lease -> lease.chain() == chain && lease.held() && lease.offer().equals(offer))
        .toList();
  }
}
