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

/** The private copy of a state on which one step works. */
final class Draft {
  final RunDefinition definition;
  final Instant now;

  /** The latest moment told before. */
  final Instant before;

  private final Optional<Instant> began;
  private final List<ChainState> chains;
  private final OwnedMap<Integer, TrialState> trials;
  private final OwnedMap<String, AttemptState> attempts;
  private final OwnedMap<Integer, LeaseState> leases;
  private final List<Command> commands = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private RunState.Phase phase;
  private RunEnding ending;
  private Steering steering;
  private boolean moved;

  Draft(RunDefinition definition, RunState state, RunEvent event) {
    this.definition = definition;
    // Clocks of different machines may disagree: time never runs backwards here.
    now = event.at().isBefore(state.now()) ? state.now() : event.at();
    before = state.now();
    // The time in which nobody had the run counts, also if nothing had happened in it by then.
    Instant confirmed = before.equals(Instant.EPOCH) ? now : before;
    began = state.began().or(() -> Optional.of(confirmed));
    phase = state.phase();
    ending = state.ending();
    chains = new ArrayList<>(state.chains());
    trials = new OwnedMap<>(state.trials());
    attempts = new OwnedMap<>(state.attempts());
    leases = new OwnedMap<>(state.leases());
    steering = state.steering();
  }

  Step freeze() {
    return new Step(peek(), commands, notes);
  }

  /** The state as it is now, for rules that read only. */
  RunState peek() {
    return new RunState(
        phase, began, now, ending, chains, trials.lend(), attempts.lend(), leases.lend(), steering);
  }

  /**
   * Whether anything has changed that may let trials start, groups end or instances go. A report
   * alone changes nothing of the kind, and most events are reports.
   */
  boolean moved() {
    return moved;
  }

  Instant began() {
    return began.orElse(now);
  }

  RunState.Phase phase() {
    return phase;
  }

  void phase(RunState.Phase other) {
    moved = true;
    phase = other;
  }

  RunEnding ending() {
    return ending;
  }

  void ending(RunEnding other) {
    ending = other;
  }

  /** The end of the last group to end so far. */
  Optional<Instant> lastEnd() {
    return chains.stream()
        .map(ChainState::lastEnd)
        .flatMap(Optional::stream)
        .max(Instant::compareTo);
  }

  boolean running() {
    return phase == RunState.Phase.RUNNING;
  }

  void command(Command command) {
    commands.add(command);
  }

  void note(String decision, String reason, Map<String, Double> numbers) {
    notes.add(new Note.Decision(decision, reason, numbers));
  }

  void fault(AttemptState attempt, String message) {
    notes.add(new Note.TrialFault(attempt.trial(), attempt.attempt(), message));
  }

  int chainCount() {
    return chains.size();
  }

  ChainState chain(int index) {
    return chains.get(index);
  }

  void chain(int index, ChainState other) {
    if (!other.equals(chains.get(index))) {
      moved = true;
      chains.set(index, other);
    }
  }

  Chain groupsOf(int chain) {
    return definition.workload().chains().get(chain);
  }

  /** The chain's group under way, unless it has ended. */
  Optional<TrialGroup> group(int chain) {
    List<TrialGroup> groups = groupsOf(chain).groups();
    int index = chain(chain).group();
    boolean underWay = index < groups.size() && !chain(chain).started().isEmpty();
    return underWay ? Optional.of(groups.get(index)) : Optional.empty();
  }

  Allocation allocation(TrialGroup group) {
    Allocation changed = steering.changed().get(group.name());
    return changed == null ? definition.plan().of(group) : changed;
  }

  /** Whether nothing is released before the end of the last group. */
  boolean hold() {
    return definition.plan().hold() && steering.changed().isEmpty();
  }

  Steering steering() {
    return steering;
  }

  void steering(Steering other) {
    steering = other;
  }

  /** Dollars that the run may spend. */
  OptionalDouble budgetLeftUsd() {
    OptionalDouble allowed = steering.allowance().allowedUsd();
    return allowed.isPresent() ? allowed : definition.budgetLeftUsd();
  }

  /** Settles anew, though nothing has changed that shows by itself. */
  void touch() {
    moved = true;
  }

  /** Something that the plan did not reckon with, for which the rest may have to be replanned. */
  void doubt(String why) {
    if (definition.planning().isPresent()) {
      steering = steering.doubting(why);
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
    moved = true;
    trials.write().put(trial, change.apply(trial(trial)));
  }

  void addTrial(TrialState trial) {
    moved = true;
    trials.write().put(trial.trial(), trial);
  }

  Optional<AttemptState> attempt(String attempt) {
    return Optional.ofNullable(attempts.look().get(attempt));
  }

  /** Those under way now; what is put or removed meanwhile does not show in it. */
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
    AttemptState before = attempts.write().put(attempt.attempt(), attempt);
    moved |= before == null || before.ending() != attempt.ending();
  }

  void remove(AttemptState attempt) {
    moved = true;
    attempts.write().remove(attempt.attempt());
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
    if (!lease.equals(leases.look().get(lease.number()))) {
      moved = true;
      leases.write().put(lease.number(), lease);
    }
  }

  /** Leases of {@code chain} that can take trials of {@code offer} now or later, by number. */
  List<LeaseState> held(int chain, String offer) {
    return leases.look().values().stream()
        .filter(lease -> lease.chain() == chain && lease.held() && lease.offer().equals(offer))
        .toList();
  }
}
