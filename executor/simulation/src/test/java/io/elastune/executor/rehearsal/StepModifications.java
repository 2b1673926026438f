package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.BudgetGrant;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Modifies the result of a step: its state and its commands. */
final class StepModifications {
  private StepModifications() {}

  static Optional<LeaseState> find(RunState state, String lease) {
    return state.leases().values().stream().filter(l -> l.lease().equals(lease)).findFirst();
  }

  static StepResult filterCommands(StepResult stepResult, Predicate<Command> kept) {
    return new StepResult(
        stepResult.state(),
        stepResult.commands().stream().filter(kept).toList(),
        stepResult.notes());
  }

  static StepResult mapCommands(StepResult stepResult, UnaryOperator<Command> change) {
    return new StepResult(
        stepResult.state(),
        stepResult.commands().stream().map(change).toList(),
        stepResult.notes());
  }

  /** Marks the matching leases as gone. */
  static StepResult dropLeases(StepResult stepResult, Predicate<LeaseState> which) {
    TreeMap<Integer, LeaseState> leases = new TreeMap<>(stepResult.state().leases());
    leases.replaceAll(
        (number, lease) ->
            which.test(lease) && lease.phase() != LeaseState.Phase.GONE
                ? gone(lease, stepResult.state())
                : lease);
    return new StepResult(
        leases(stepResult.state(), leases), stepResult.commands(), stepResult.notes());
  }

  /** Marks the matching leases as gone, and drops their release commands. */
  static StepResult dropLeasesAndReleases(StepResult stepResult, Predicate<LeaseState> which) {
    Set<String> forgotten = new HashSet<>();
    stepResult.state().leases().values().stream()
        .filter(which)
        .forEach(lease -> forgotten.add(lease.lease()));
    return filterCommands(
        dropLeases(stepResult, which),
        command ->
            !(command instanceof Command.ReleaseInstance release)
                || !forgotten.contains(release.lease()));
  }

  /** Treats a missing response as a refusal, and requests another instance. */
  static StepResult requestAgain(StepResult stepResult) {
    TreeMap<Integer, LeaseState> leases = new TreeMap<>(stepResult.state().leases());
    List<Command> commands = new ArrayList<>();
    for (Command command : stepResult.commands()) {
      Optional<LeaseState> asked =
          command instanceof Command.AdoptInstance adopt
              ? find(stepResult.state(), adopt.lease())
                  .filter(lease -> lease.phase() == LeaseState.Phase.PENDING)
              : Optional.empty();
      if (asked.isEmpty()) {
        commands.add(command);
        continue;
      }
      LeaseState old = asked.get();
      int number = leases.lastKey() + 1;
      String lease = old.lease().substring(0, old.lease().lastIndexOf('-') + 1) + number;
      leases.put(old.number(), gone(old, stepResult.state()));
      leases.put(number, as(old, lease, number, LeaseState.Phase.PENDING, stepResult.state()));
      commands.add(new Command.RequestInstance(lease, old.offer()));
    }
    return new StepResult(leases(stepResult.state(), leases), commands, stepResult.notes());
  }

  private static LeaseState gone(LeaseState lease, RunState state) {
    return as(lease, lease.lease(), lease.number(), LeaseState.Phase.GONE, state);
  }

  private static LeaseState as(
      LeaseState lease, String id, int number, LeaseState.Phase phase, RunState state) {
    return new LeaseState(
        id,
        number,
        lease.pool(),
        lease.group(),
        lease.offer(),
        lease.usdPerHour(),
        phase,
        phase == LeaseState.Phase.PENDING ? state.now() : lease.requestedAt(),
        lease.allowedS(),
        lease.hiddenS(),
        lease.runningAt(),
        lease.readyAt(),
        lease.releasedAt(),
        phase == LeaseState.Phase.GONE ? Optional.of(state.now()) : Optional.empty(),
        lease.node(),
        lease.use(),
        lease.loss(),
        lease.failedStep());
  }

  private static RunState leases(RunState state, SortedMap<Integer, LeaseState> leases) {
    return with(state, state.ending(), state.trials(), leases, state.steering());
  }

  /** Returns the state with these parts replaced. */
  private static RunState with(
      RunState state,
      ShutdownState ending,
      SortedMap<Integer, TrialState> trials,
      SortedMap<Integer, LeaseState> leases,
      ReplanState replanState) {
    return new RunState(
        state.phase(),
        state.began(),
        state.now(),
        ending,
        state.chains(),
        trials,
        state.attempts(),
        leases,
        replanState,
        state.clock());
  }

  static StepResult withEnding(StepResult stepResult, ShutdownState ending) {
    RunState state = stepResult.state();
    ShutdownState other =
        new ShutdownState(
            ending.outcome(),
            ending.reason(),
            state.ending().budgetWarned(),
            state.ending().releaseSince(),
            state.ending().listedAt(),
            state.ending().instancesLeft());
    RunState changed = with(state, other, state.trials(), state.leases(), state.steering());
    return new StepResult(changed, stepResult.commands(), stepResult.notes());
  }

  /** Returns the state as if a far higher budget had been approved. */
  static RunState withHugeBudget(RunState state) {
    ReplanState at = state.steering();
    ReplanState free = at.with(new BudgetGrant(0, false, false, 0, OptionalDouble.of(1e9)));
    return with(state, state.ending(), state.trials(), state.leases(), free);
  }

  static RunState countFailureAgain(RunState state, String attempt) {
    AttemptState known = state.attempts().get(attempt);
    if (known == null) {
      return state;
    }
    TreeMap<Integer, TrialState> trials = new TreeMap<>(state.trials());
    trials.computeIfPresent(
        known.trial(), (number, trial) -> trial.failed(trial.hung()).as(trial.status()));
    return with(state, state.ending(), trials, state.leases(), state.steering());
  }

  static RunDefinition withMaxFailures(RunDefinition d, int failures) {
    return RunDefinitionBuilder.builder(d).maxFailures(failures).build();
  }
}
