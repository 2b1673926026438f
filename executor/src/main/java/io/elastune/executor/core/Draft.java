package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The private copy of a state on which one step works. */
final class Draft {
  final RunDefinition definition;
  final Instant now;

  /** The latest moment told before. */
  final Instant before;

  private final Optional<Instant> began;
  private final List<ChainState> chains;
  private final SortedMap<Integer, TrialState> trials;
  private final SortedMap<String, AttemptState> attempts;
  private final SortedMap<Integer, LeaseState> leases;
  private final List<Command> commands = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private RunState.Phase phase;
  private RunEnding ending;

  Draft(RunDefinition definition, RunState state, RunEvent event) {
    this.definition = definition;
    // Clocks of different machines may disagree: time never runs backwards here.
    now = event.at().isBefore(state.now()) ? state.now() : event.at();
    before = state.now();
    began = state.began().or(() -> Optional.of(now));
    phase = state.phase();
    ending = state.ending();
    chains = new ArrayList<>(state.chains());
    trials = new TreeMap<>(state.trials());
    attempts = new TreeMap<>(state.attempts());
    leases = new TreeMap<>(state.leases());
  }

  Step freeze() {
    RunState state = new RunState(phase, began, now, ending, chains, trials, attempts, leases);
    return new Step(state, commands, notes);
  }

  /** The state as it is now, for rules that read only. */
  RunState peek() {
    return freeze().state();
  }

  Instant began() {
    return began.orElse(now);
  }

  RunState.Phase phase() {
    return phase;
  }

  void phase(RunState.Phase other) {
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
    chains.set(index, other);
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
    return definition.plan().of(group);
  }

  SortedMap<Integer, TrialState> trials() {
    return trials;
  }

  TrialState trial(int trial) {
    TrialState state = trials.get(trial);
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
    return Optional.ofNullable(attempts.get(attempt));
  }

  List<AttemptState> attempts() {
    return List.copyOf(attempts.values());
  }

  List<AttemptState> attemptsOf(int chain) {
    return attempts.values().stream().filter(attempt -> attempt.chain() == chain).toList();
  }

  void put(AttemptState attempt) {
    attempts.put(attempt.attempt(), attempt);
  }

  void remove(AttemptState attempt) {
    attempts.remove(attempt.attempt());
  }

  List<LeaseState> leases() {
    return List.copyOf(leases.values());
  }

  Optional<LeaseState> lease(String id) {
    return leases.values().stream().filter(lease -> lease.lease().equals(id)).findFirst();
  }

  LeaseState lease(int number) {
    LeaseState lease = leases.get(number);
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
    return leases.values().stream()
        .filter(lease -> lease.chain() == chain && lease.held() && lease.offer().equals(offer))
        .toList();
  }
}
