package io.elastune.executor.decision.model;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Preference;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The immutable definition of a run. A group that starts at unit 0 takes new trials; any other
 * takes the best of the group before it in its chain.
 *
 * @param run the run's id
 * @param offers by name: the offers of the plan, and those that a new plan may use
 * @param metric the metric by which trials are ranked
 * @param maxFailures failed attempts after which a trial is not yet dropped
 * @param maxFailedTrials dropped trials after which the run does not yet stop; empty for no limit
 * @param budget the budget of the job, if it has one, as shown on screens
 * @param budgetLeftUsd USD that this run may spend; the cost of profiling is already subtracted. If
 *     the job has no budget, this is the spending guard
 * @param deadlineS seconds from the start of the run, which is the confirmation of its plan: the
 *     only stored deadline
 * @param deadlineMiss what happens after the deadline
 * @param forecasts by group: the prediction of the plan; empty for a profiling run
 * @param hangLimits by group: the times after which a trial counts as hung; a group without them is
 *     not monitored
 * @param graceS seconds that stopping trials are expected to need for their checkpoints
 * @param running costs per hour from the start of the run to its completion
 * @param planning inputs for re-planning; empty for a run that never changes its plan
 * @param measurement how long a profiling run measures each trial; empty for any other run
 * @param waitForCapacityS seconds for which the run retries refused requests if it cannot continue
 *     without them; empty for a run that stops instead
 * @param sampler when a sampler proposes configurations; empty if all are known from the start
 * @param fluid how Fluid divides the instances among the trials; empty under another policy
 * @param hyperSched how HyperSched does; empty under another policy
 * @param hermes how Hermes does; empty under another policy
 * @param patience when the search ends because its metric improves no more; empty for never
 * @param failures when equal failures stop the run; empty for never
 * @param clusterProfile the profile of a fixed cluster, for forecasts; empty if {@code planning}
 *     has profiles, and in runs of earlier builds
 * @param keepAlive whether the programs of trials wait for their next attempt; not in runs of
 *     earlier builds, whose forecasts count each start-up
 */
@RecordBuilder
public record RunDefinition(
    String run,
    Workload workload,
    Plan plan,
    Map<String, Offer> offers,
    Metric metric,
    int maxFailures,
    OptionalInt maxFailedTrials,
    Optional<Budget> budget,
    OptionalDouble budgetLeftUsd,
    OptionalDouble deadlineS,
    Job.DeadlineMiss deadlineMiss,
    Map<String, Forecast> forecasts,
    Map<String, HangLimit> hangLimits,
    double graceS,
    HourlyCosts running,
    Optional<Planning> planning,
    Optional<MeasurementRule> measurement,
    OptionalDouble waitForCapacityS,
    Optional<SamplerRule> sampler,
    Optional<FluidDefinition> fluid,
    Optional<HyperSchedDefinition> hyperSched,
    Optional<HermesDefinition> hermes,
    Optional<PatienceRule> patience,
    Optional<FailureRule> failures,
    Optional<Profile> clusterProfile,
    boolean keepAlive) {
  private static final double DEADLINE_TOLERANCE_S = 60;

  /**
   * The inputs for re-planning, besides the offers.
   *
   * @param profiles by GPU model
   * @param gpusPerTrial the numbers of GPUs per trial that the user allows
   * @param limits the limits of a plan without deadline and budget, which are those of the
   *     definition
   * @param seed root of the named random streams
   * @param rungs what a new plan may change of a search made of rungs; empty if such a search keeps
   *     its plan
   * @param prefer which of the plans that meet the limits is the best; empty for the cheapest, and
   *     without a deadline the fastest
   * @param requests the rules of the requests for a new plan; empty for those of runs that builds
   *     before 30 November 2026 have started
   */
  public record Planning(
      Map<String, Profile> profiles,
      IntRange gpusPerTrial,
      Limits limits,
      long seed,
      Optional<RungChanges> rungs,
      Optional<Preference> prefer,
      Optional<RequestRules> requests) {
    /** When a run requests a new plan, and what it states then. */
    public enum RequestRules {
      /**
       * A cost beyond the budget, and a lack of slack, are no reason again as long as they are
       * about the same. A request states the tasks in progress of chains that share instances.
       */
      CHANGES
    }

    /** What a new plan may change of a search made of rungs. */
    public enum RungChanges {
      /** Instances, and GPUs of trials that start later. */
      SIZES,
      /** Also where the trials run that are left when no new one starts. */
      PLACES
    }

    /** The inputs for a search with barriers. */
    public Planning(
        Map<String, Profile> profiles, IntRange gpusPerTrial, Limits limits, long seed) {
      this(profiles, gpusPerTrial, limits, seed, Optional.empty(), Optional.empty());
    }

    /** The inputs for any search, with the present rules of requests. */
    public Planning(
        Map<String, Profile> profiles,
        IntRange gpusPerTrial,
        Limits limits,
        long seed,
        Optional<RungChanges> rungs,
        Optional<Preference> prefer) {
      this(profiles, gpusPerTrial, limits, seed, rungs, prefer, Optional.of(RequestRules.CHANGES));
    }

    /** Returns the same inputs with a preference. */
    public Planning withPrefer(Preference other) {
      return new Planning(
          profiles, gpusPerTrial, limits, seed, rungs, Optional.of(other), requests);
    }

    /** Returns the same inputs with the rules of requests of earlier builds. */
    public Planning withEarlierRequests() {
      return new Planning(profiles, gpusPerTrial, limits, seed, rungs, prefer, Optional.empty());
    }

    public Planning {
      profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
      limits = limits.within(OptionalDouble.empty(), OptionalDouble.empty());
    }
  }

  /**
   * The prediction of the plan for one group.
   *
   * @param seconds mean duration in seconds
   * @param usd mean cost in USD
   * @param checkpointEvery units between two checkpoints, 0 for one at the end of the group only;
   *     empty if trials save as they like
   */
  public record Forecast(double seconds, double usd, OptionalInt checkpointEvery) {
    /** Creates the prediction for trials that save as they like. */
    public Forecast(double seconds, double usd) {
      this(seconds, usd, OptionalInt.empty());
    }

    Forecast withCostTimes(double dearer) {
      return new Forecast(seconds, usd * dearer, checkpointEvery);
    }
  }

  public RunDefinition {
    Preconditions.text("run", run);
    offers = Collections.unmodifiableMap(new LinkedHashMap<>(offers));
    forecasts = Collections.unmodifiableMap(new LinkedHashMap<>(forecasts));
    hangLimits = Collections.unmodifiableMap(new LinkedHashMap<>(hangLimits));
    for (var group : workload.groups()) {
      Preconditions.that(
          offers.containsKey(plan.of(group).offer()),
          "no offer " + plan.of(group).offer() + " for group " + group.name());
    }
  }

  /** Returns a copy with other limits. */
  public RunDefinition withLimits(
      Optional<Budget> otherBudget,
      OptionalDouble otherBudgetLeftUsd,
      OptionalDouble otherDeadlineS) {
    return RunDefinitionBuilder.builder(this)
        .budget(otherBudget)
        .budgetLeftUsd(otherBudgetLeftUsd)
        .deadlineS(otherDeadlineS)
        .build();
  }

  /** Returns a copy whose configurations are proposed by a sampler; empty for random ones. */
  public RunDefinition withSampler(Optional<SamplerRule> other) {
    return RunDefinitionBuilder.builder(this).sampler(other).build();
  }

  /** Returns a copy whose instances Fluid divides among the trials; empty for another policy. */
  public RunDefinition withFluid(Optional<FluidDefinition> other) {
    return RunDefinitionBuilder.builder(this).fluid(other).build();
  }

  /** Returns a copy on whose GPUs trials take turns under Hermes; empty for another policy. */
  public RunDefinition withHermes(Optional<HermesDefinition> other) {
    return RunDefinitionBuilder.builder(this).hermes(other).build();
  }

  /** Returns a copy that equal failures of its trials stop, by {@code rule}. */
  public RunDefinition withFailures(FailureRule rule) {
    return RunDefinitionBuilder.builder(this).failures(Optional.of(rule)).build();
  }

  /** Returns a copy whose instances HyperSched divides; empty for another policy. */
  public RunDefinition withHyperSched(Optional<HyperSchedDefinition> other) {
    return RunDefinitionBuilder.builder(this).hyperSched(other).build();
  }

  /**
   * Returns the seconds after the deadline at which the run still counts as on time: a search that
   * ends at its deadline ends at the first event after it.
   */
  public double deadlineToleranceS() {
    return endsAtDeadline() ? DEADLINE_TOLERANCE_S : 0;
  }

  /** Whether the instance of a lease is this machine, whose clock is the controller's. */
  public boolean isOnThisMachine(LeaseState lease) {
    return offer(lease.offer()).provider().equals("local");
  }

  /** Whether the search ends at its deadline, with whatever it has reached. */
  public boolean endsAtDeadline() {
    OptionalDouble stopS = searchStopS();
    return hyperSched.isPresent()
        || (stopS.isPresent() && deadlineS.isPresent() && stopS.equals(deadlineS));
  }

  /** Returns the seconds from the start at which the search ends; empty if it has no such time. */
  public OptionalDouble searchStopS() {
    return workload
        .rungs()
        .filter(rule -> hyperSched.isEmpty())
        .map(rule -> rule.endS(deadlineS))
        .orElse(OptionalDouble.empty());
  }

  /** Returns the deadline in seconds from the start of the run; infinite without a deadline. */
  public double deadlineOrInfinityS() {
    return deadlineS.orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether a policy divides all instances among any number of trials. */
  public boolean dividesInstances() {
    return fluid.isPresent() || hyperSched.isPresent() || hermes.isPresent();
  }

  /** Returns a copy with other offers or prices, and with adjusted forecasts. */
  public RunDefinition withOffers(Map<String, Offer> others) {
    Map<String, Forecast> forecastsNow = new LinkedHashMap<>();
    forecasts.forEach(
        (group, was) -> forecastsNow.put(group, was.withCostTimes(dearer(group, others))));
    return RunDefinitionBuilder.builder(this).offers(others).forecasts(forecastsNow).build();
  }

  /** The ratio of the price of a group's instances in {@code others} to the present price. */
  private double dearer(String group, Map<String, Offer> others) {
    return Optional.ofNullable(plan.allocations().get(group))
        .map(allocation -> offer(allocation.offer()))
        .filter(was -> was.usdPerHour() > 0 && others.containsKey(was.name()))
        .map(was -> others.getOrDefault(was.name(), was).usdPerHour() / was.usdPerHour())
        .orElse(1.0);
  }

  /** Returns a copy that never changes its plan and has only the offers of the plan. */
  public RunDefinition withoutReplanning() {
    Map<String, Offer> used = new LinkedHashMap<>();
    plan.allocations().values().forEach(one -> used.put(one.offer(), offer(one.offer())));
    return RunDefinitionBuilder.builder(this).offers(used).planning(Optional.empty()).build();
  }

  /** What a new plan may change of a search made of rungs; empty if it keeps its plan. */
  public Optional<Planning.RungChanges> rungChanges() {
    return planning.flatMap(Planning::rungs);
  }

  /** Whether the present rules of requests for a new plan apply. */
  public boolean requestsAfterChanges() {
    return planning.flatMap(Planning::requests).isPresent();
  }

  /** Returns a copy that measures each trial by {@code rule}. */
  public RunDefinition withMeasurement(MeasurementRule rule) {
    return RunDefinitionBuilder.builder(this).measurement(Optional.of(rule)).build();
  }

  /** Returns a copy that retries refused requests for {@code time}; empty for one that does not. */
  public RunDefinition withWaitForCapacity(Optional<Duration> time) {
    OptionalDouble seconds =
        time.map(it -> OptionalDouble.of(Seconds.of(it))).orElse(OptionalDouble.empty());
    return RunDefinitionBuilder.builder(this).waitForCapacityS(seconds).build();
  }

  /** Whether it measures the training program: no plan has predicted its groups. */
  public boolean isProfiling() {
    return forecasts.isEmpty();
  }

  /** Returns the units that a trial is trained at most. */
  public int lastUnit() {
    int barriers = workload.groups().stream().mapToInt(TrialGroup::toUnit).max().orElseThrow();
    return workload.rungs().map(rule -> rule.target(rule.lastRung())).orElse(barriers);
  }

  /** Whether trials continue from their checkpoints. */
  public boolean isResumable() {
    return workload.groups().stream().noneMatch(TrialGroup::fromScratch);
  }

  /**
   * Whether {@link #budgetLeftUsd} is a spending guard: the user has set no budget, and the run may
   * increase it while it can meet its deadline.
   */
  public boolean hasSpendingGuard() {
    return budget.isEmpty() && budgetLeftUsd.isPresent();
  }

  /** Whether the run stops when its budget is reached, if it has one. */
  public boolean stopsAtBudget() {
    return budget.map(Budget::onReach).orElse(Budget.OnReach.STOP) == Budget.OnReach.STOP;
  }

  /** The profile for {@code offer}; empty for a run that never changes its plan. */
  public Optional<Profile> profile(Offer offer) {
    return planning.flatMap(with -> Optional.ofNullable(with.profiles().get(offer.gpu())));
  }

  /** Returns the profile with which forecasts play trials on {@code offer}; empty if unknown. */
  public Optional<Profile> forecastProfile(Offer offer) {
    return planning.isPresent() ? profile(offer) : clusterProfile;
  }

  /** Returns all profiles with which forecasts play trials. */
  public Collection<Profile> forecastProfiles() {
    return planning.isPresent()
        ? planning.get().profiles().values()
        : clusterProfile.map(List::of).orElse(List.of());
  }

  /** Returns the offer with that name; every offer of a plan has one. */
  public Offer offer(String name) {
    Offer offer = offers.get(name);
    if (offer == null) {
      throw new IllegalArgumentException("no offer " + name);
    }
    return offer;
  }
}
