package io.elastune.executor.decision.model;

import io.elastune.core.job.Metric;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialResult;
import io.elastune.core.time.Seconds;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The complete state of a run. With the definition and the next event, it determines all further
 * decisions.
 *
 * @param began when the plan was confirmed
 * @param now the time of the latest event
 * @param ending the shutdown state
 * @param chains in the workload's order
 * @param trials by number
 * @param attempts running attempts, by id
 * @param leases all leases ever requested, by number
 * @param steering changes of the plan, and what may cause more of them
 * @param clock how far the controller's clock may be ahead of the cloud's
 */
@RecordBuilder
public record RunState(
    Phase phase,
    Optional<Instant> began,
    Instant now,
    ShutdownState ending,
    List<ChainState> chains,
    SortedMap<Integer, TrialState> trials,
    SortedMap<String, AttemptState> attempts,
    SortedMap<Integer, LeaseState> leases,
    ReplanState steering,
    ClockError clock) {
  /** The phase of a run. */
  public enum Phase {
    RUNNING,
    /** Trials write their checkpoints. */
    STOPPING,
    /** Everything is released, and the confirmations are pending. */
    RELEASING,
    /** The cloud was asked to list the remaining instances. */
    VERIFYING,
    FINISHED
  }

  public RunState {
    chains = List.copyOf(chains);
    trials = Collections.unmodifiableSortedMap(trials);
    attempts = Collections.unmodifiableSortedMap(attempts);
    leases = Collections.unmodifiableSortedMap(leases);
  }

  /** Returns the state before the first event. */
  public static RunState initial(RunDefinition definition) {
    return new RunState(
        Phase.RUNNING,
        Optional.empty(),
        Instant.EPOCH,
        ShutdownState.NONE,
        Collections.nCopies(definition.workload().chains().size(), ChainState.NOT_STARTED),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        ReplanState.NONE,
        ClockError.UNKNOWN);
  }

  /**
   * Returns the initial state of a run whose plan was confirmed at {@code at}; its time counts from
   * then.
   */
  public static RunState confirmed(RunDefinition definition, Instant at) {
    return initial(definition).at(at);
  }

  /**
   * Returns the state with the confirmation of the plan as its start, if that is known and it has
   * no start yet.
   */
  public RunState withStart() {
    return began.isPresent() || now.equals(Instant.EPOCH)
        ? this
        : RunStateBuilder.builder(this).began(Optional.of(now)).build();
  }

  /** Returns the seconds since the plan was confirmed; 0 before that. */
  public double elapsedS() {
    return Seconds.between(began.orElse(now), now);
  }

  /** Returns the same state at a later time. */
  public RunState at(Instant later) {
    return RunStateBuilder.builder(this).now(later).build();
  }

  /** Returns the allocation of {@code group} in the present plan. */
  public Allocation allocation(RunDefinition definition, TrialGroup group) {
    Allocation changed = steering.changed().get(group.name());
    return changed == null ? definition.plan().of(group) : changed;
  }

  /** Returns the budget in USD, from the definition or as increased by the user since. */
  public OptionalDouble budgetLeftUsd(RunDefinition definition) {
    OptionalDouble allowed = steering.allowance().allowedUsd();
    return allowed.isPresent() ? allowed : definition.budgetLeftUsd();
  }

  /** Returns the latest known price of {@code offer} in USD per hour. */
  public double usdPerHour(RunDefinition definition, String offer) {
    Double charged = steering.market().prices().get(offer);
    return charged == null ? definition.offer(offer).usdPerHour() : charged;
  }

  /** Returns the offers of all groups in the present plan, and of all leases. */
  public Set<String> offers(RunDefinition definition) {
    Set<String> offers = new TreeSet<>();
    definition.workload().groups().forEach(g -> offers.add(allocation(definition, g).offer()));
    leases.values().forEach(lease -> offers.add(lease.offer()));
    return offers;
  }

  /** Returns the times after which {@code attempt} counts as hung; empty for never. */
  public Optional<HangLimit.Times> hangTimes(RunDefinition definition, AttemptState attempt) {
    return Optional.ofNullable(definition.hangLimits().get(attempt.group()))
        .map(limit -> presentLimit(definition, attempt, limit))
        .flatMap(
            limit ->
                limit.times(
                    Math.max(1, attempt.to() - attempt.lastUnit()),
                    !attempt.hasReported(),
                    steering.pace().factor()));
  }

  /**
   * The limit for the allocation that the group has now. In a search made of rungs, an attempt
   * keeps the GPUs with which it started.
   */
  private HangLimit presentLimit(RunDefinition definition, AttemptState attempt, HangLimit limit) {
    Allocation changed = steering.changed().get(attempt.group());
    if (changed == null) {
      return limit;
    }
    Allocation own =
        definition.workload().rungs().isPresent()
            ? new Allocation(changed.offer(), 1, attempt.places().size(), 1)
            : changed;
    return definition
        .profile(definition.offer(own.offer()))
        .map(profile -> limit.with(duration(definition, attempt.group(), profile, own)))
        .orElse(limit);
  }

  private static TrialDuration duration(
      RunDefinition definition, String name, Profile profile, Allocation allocation) {
    Offer offer = definition.offer(allocation.offer());
    return definition.workload().groups().stream()
        .filter(group -> group.name().equals(name))
        .findFirst()
        .map(group -> TrialDuration.of(group, offer, profile, allocation))
        .orElseGet(() -> TrialDuration.of(profile, allocation));
  }

  /** Returns the state with these chains and trials. */
  RunState with(List<ChainState> otherChains, SortedMap<Integer, TrialState> otherTrials) {
    return RunStateBuilder.builder(this).chains(otherChains).trials(otherTrials).build();
  }

  /** Returns the number of trials that were dropped after too many failures. */
  public long failedTrials() {
    return trials.values().stream()
        .filter(trial -> trial.status() == TrialState.Status.FAILED)
        .count();
  }

  /**
   * Returns the trial that has reached the target of the search; otherwise that with the best
   * metric among those that were trained the longest.
   */
  public Optional<TrialState> best(Metric.Goal goal, OptionalDouble target) {
    double most =
        target.isPresent()
            ? TrialResult.loss(target.getAsDouble(), goal)
            : Double.NEGATIVE_INFINITY;
    return trials.values().stream()
        .filter(TrialState::hasValue)
        .min(
            Comparator.comparing(
                    (TrialState trial) ->
                        TrialResult.loss(trial.metric().orElseThrow(), goal) > most)
                .thenComparing(Comparator.comparingInt(TrialState::unit).reversed())
                .thenComparing(TrialRanking.order(goal)));
  }

  /** Returns the end of the group that ended last. */
  public Optional<Instant> completedAt() {
    return chains.stream()
        .map(ChainState::lastEnd)
        .flatMap(Optional::stream)
        .max(Instant::compareTo);
  }
}
