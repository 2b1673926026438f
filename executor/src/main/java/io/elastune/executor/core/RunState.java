package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a run has come to: with the definition it decides everything that follows.
 *
 * @param began when the plan was confirmed
 * @param now the latest moment told
 * @param ending how the run is going to end
 * @param chains in the workload's order
 * @param trials by number
 * @param attempts those running, by id
 * @param leases all ever requested, by number
 * @param steering where it has left its plan
 */
public record RunState(
    Phase phase,
    Optional<Instant> began,
    Instant now,
    RunEnding ending,
    List<ChainState> chains,
    SortedMap<Integer, TrialState> trials,
    SortedMap<String, AttemptState> attempts,
    SortedMap<Integer, LeaseState> leases,
    Steering steering) {
  /** Where a run stands. */
  public enum Phase {
    RUNNING,
    /** Trials write their checkpoints. */
    STOPPING,
    /** Everything has been released, confirmation is awaited. */
    RELEASING,
    /** The cloud has been asked what is left. */
    VERIFYING,
    FINISHED
  }

  public RunState {
    chains = List.copyOf(chains);
    trials = Collections.unmodifiableSortedMap(trials);
    attempts = Collections.unmodifiableSortedMap(attempts);
    leases = Collections.unmodifiableSortedMap(leases);
  }

  /** The state before anything has happened. */
  public static RunState initial(RunDefinition definition) {
    return new RunState(
        Phase.RUNNING,
        Optional.empty(),
        Instant.EPOCH,
        RunEnding.GOOD,
        Collections.nCopies(definition.workload().chains().size(), ChainState.NOT_STARTED),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        Steering.NONE);
  }

  /** The same of a run whose plan was confirmed at that moment, from which its time counts. */
  public static RunState confirmed(RunDefinition definition, Instant at) {
    return initial(definition).at(at);
  }

  /** The same, begun when its plan was confirmed, if that is known and it has not begun yet. */
  RunState begun() {
    return began.isPresent() || now.equals(Instant.EPOCH)
        ? this
        : new RunState(
            phase, Optional.of(now), now, ending, chains, trials, attempts, leases, steering);
  }

  /** The same at a later moment. */
  public RunState at(Instant later) {
    return new RunState(phase, began, later, ending, chains, trials, attempts, leases, steering);
  }

  /** What {@code group} holds, by the plan as it is now. */
  public Allocation allocation(RunDefinition definition, TrialGroup group) {
    Allocation changed = steering.changed().get(group.name());
    return changed == null ? definition.plan().of(group) : changed;
  }

  /** Dollars that the run may spend, by the definition or what the user has allowed since. */
  public OptionalDouble budgetLeftUsd(RunDefinition definition) {
    OptionalDouble allowed = steering.allowance().allowedUsd();
    return allowed.isPresent() ? allowed : definition.budgetLeftUsd();
  }

  /** What an instance of {@code offer} costs an hour, as far as is known now. */
  double usdPerHour(RunDefinition definition, String offer) {
    Double told = steering.market().prices().get(offer);
    return told == null ? definition.offer(offer).usdPerHour() : told;
  }

  /** The offers of all groups, by the plan as it is now, and of all leases. */
  public Set<String> offers(RunDefinition definition) {
    Set<String> offers = new TreeSet<>();
    definition.workload().groups().forEach(g -> offers.add(allocation(definition, g).offer()));
    leases.values().forEach(lease -> offers.add(lease.offer()));
    return offers;
  }

  /** Seconds without a report after which a trial of {@code group} counts as hung, if ever. */
  OptionalDouble watchdogS(RunDefinition definition, String group) {
    Allocation changed = steering.changed().get(group);
    if (changed != null) {
      return definition
          .profile(definition.offer(changed.offer()))
          .map(profile -> OptionalDouble.of(RunDefinitions.watchdogS(profile, changed)))
          .orElseThrow();
    }
    Double seconds = definition.watchdogS().get(group);
    return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }

  /** The end of the last group to end so far. */
  public Optional<Instant> completedAt() {
    return chains.stream()
        .map(ChainState::lastEnd)
        .flatMap(Optional::stream)
        .max(Instant::compareTo);
  }
}
