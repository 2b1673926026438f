package io.elastune.executor.decision.forecast;

import io.elastune.core.time.Seconds;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialPlace;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.WaitingProgram;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Where the trials of a run that do not run now ran last. */
final class PastPlaces {
  private final RunState state;

  /** The index of each instance that is held, by its lease. */
  private final Map<String, Integer> indexes = new HashMap<>();

  /** The last tasks that have ended, by trial. */
  private final Map<Integer, Task> ended = new HashMap<>();

  /**
   * @param held the instances of the timeline that are held
   */
  PastPlaces(RunState state, List<LeaseState> held) {
    this.state = state;
    for (LeaseState lease : held) {
      indexes.put(lease.lease(), indexes.size());
    }
  }

  /** Returns those of the trials of a search made of rungs. */
  static PastPlaces ofRungs(RunState state, List<LeaseState> held, RungsRun search) {
    PastPlaces past = new PastPlaces(state, held);
    for (TrialState trial : state.trials().values()) {
      if (trial.status() == TrialState.Status.WAITING) {
        past.add(trial.trial(), search.before(trial.trial()));
      }
    }
    return past;
  }

  /**
   * Returns the trials of the group in progress of a chain that have ended, by their numbers.
   *
   * @param running attempts that have not
   */
  static List<Integer> endedOf(RunState state, int chain, Predicate<AttemptState> running) {
    ChainState at = state.chains().get(chain);
    Set<Integer> others = new HashSet<>(at.waiting());
    state.attempts().values().stream()
        .filter(running)
        .forEach(attempt -> others.add(attempt.trial()));
    return at.members().stream()
        .filter(trial -> !others.contains(trial) && mayContinue(state, trial))
        .sorted()
        .toList();
  }

  private static boolean mayContinue(RunState state, int number) {
    TrialState trial = state.trials().get(number);
    return trial != null && trial.status() != TrialState.Status.FAILED && !trial.endedEarly();
  }

  /** Adds the task of a trial that has ended. */
  void add(int trial, Task task) {
    ended.put(trial, task);
  }

  /** Whether the task of a trial was added. */
  boolean has(int trial) {
    return ended.containsKey(trial);
  }

  /** Records in a timeline where the trials of the tasks ran, in the order of their ends. */
  void record(Timeline timeline) {
    state.trials().values().stream()
        .filter(trial -> has(trial.trial()))
        .sorted(
            Comparator.comparing(
                    (TrialState trial) ->
                        program(trial).map(WaitingProgram::since).orElse(Instant.MIN))
                .thenComparingInt(TrialState::trial))
        .forEach(trial -> record(timeline, trial));
  }

  private Optional<WaitingProgram> program(TrialState trial) {
    return trial.status() == TrialState.Status.RUNNING ? ending(trial) : trial.program();
  }

  /** An attempt that has reported its last unit ends now. */
  private Optional<WaitingProgram> ending(TrialState trial) {
    return state.attempts().values().stream()
        .filter(it -> it.trial() == trial.trial() && it.isActive() && it.lastUnit() >= it.to())
        .map(attempt -> new WaitingProgram(state.now(), attempt.trialsPerGpu()))
        .findFirst();
  }

  private void record(Timeline timeline, TrialState trial) {
    Task task = Objects.requireNonNull(ended.get(trial.trial()));
    place(trial).ifPresent(place -> timeline.ranBefore(task, place));
  }

  /** Returns where a trial ran last; empty if it has not run, or its instances are not held. */
  Optional<TrialPlace> of(int trial) {
    return Optional.ofNullable(state.trials().get(trial)).flatMap(this::place);
  }

  private Optional<TrialPlace> place(TrialState trial) {
    List<Integer> instances =
        trial.slots().stream()
            .map(GpuSlot::lease)
            .distinct()
            .filter(indexes::containsKey)
            .map(indexes::get)
            .sorted()
            .toList();
    if (instances.isEmpty()) {
      return Optional.empty();
    }
    Optional<WaitingProgram> program = program(trial);
    return Optional.of(
        new TrialPlace(
            instances,
            trial.slots().stream().mapToInt(GpuSlot::gpu).min().orElse(0),
            trial.slots().size(),
            program.map(WaitingProgram::trialsPerGpu).orElse(1),
            program.stream()
                .mapToDouble(it -> Seconds.between(it.since(), state.now()))
                .findAny()));
  }
}
