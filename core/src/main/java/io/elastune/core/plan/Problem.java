package io.elastune.core.plan;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.RankCorrelation;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The input of the simulator and the planner: everything that a prediction depends on.
 *
 * @param workload the trial groups to be trained
 * @param offers the offers that may be rented, with the discount and measured provisioning times
 *     already applied
 * @param profiles profiles by GPU model
 * @param gpusPerTrial the numbers of GPUs per trial that the job allows
 * @param limits the limits that a plan must meet
 * @param running hourly costs from start to completion, independent of the instances held
 * @param seed seed of the named random streams
 * @param cluster the fixed cluster of the job; empty if a plan chooses the instances of each group
 * @param silence after how long without a sign of life attempts are taken to hang
 * @param keepAlive whether the programs of trials wait for the next units of their trial
 */
@RecordBuilder
public record Problem(
    Workload workload,
    List<Offer> offers,
    Map<String, Profile> profiles,
    IntRange gpusPerTrial,
    Limits limits,
    HourlyCosts running,
    long seed,
    Optional<FixedCluster> cluster,
    SilenceLimit silence,
    boolean keepAlive) {
  /** Creates a problem whose plans choose the instances of every group. */
  public Problem(
      Workload workload,
      List<Offer> offers,
      Map<String, Profile> profiles,
      IntRange gpusPerTrial,
      Limits limits,
      HourlyCosts running,
      long seed) {
    this(
        workload,
        offers,
        profiles,
        gpusPerTrial,
        limits,
        running,
        seed,
        Optional.empty(),
        SilenceLimit.PREDICTED,
        false);
  }

  public Problem {
    offers = List.copyOf(offers);
    profiles = Collections.unmodifiableMap(new TreeMap<>(profiles));
    Map<String, Offer> byName = new LinkedHashMap<>();
    for (Offer offer : offers) {
      Preconditions.that(
          byName.put(offer.name(), offer) == null, "the offer " + offer.name() + " is given twice");
    }
  }

  /** Returns the offer with that name. */
  public Optional<Offer> offer(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }

  /** Returns the profile for an offer's GPU model. */
  public Optional<Profile> profile(Offer offer) {
    return Optional.ofNullable(profiles.get(offer.gpu()));
  }

  /** Returns this problem with other offers and profiles. */
  public Problem with(List<Offer> otherOffers, Map<String, Profile> otherProfiles) {
    return ProblemBuilder.builder(this).offers(otherOffers).profiles(otherProfiles).build();
  }

  /** Returns whether a fault can occur that predictions include. */
  public boolean hasFaults() {
    return offers.stream()
        .anyMatch(
            offer ->
                !offer.faults().isNone()
                    || profile(offer).filter(known -> !known.faults().isNone()).isPresent());
  }

  /** Returns this problem with other rates of faults, by offer and by profile. */
  public Problem withFaults(
      Function<Offer, InstanceFaultRates> ofOffer, Function<Profile, TrialFaultRates> ofProfile) {
    Map<String, Profile> others = new TreeMap<>();
    profiles.forEach(
        (gpu, profile) -> others.put(gpu, profile.withFaults(ofProfile.apply(profile))));
    return with(
        offers.stream().map(offer -> offer.withFaults(ofOffer.apply(offer))).toList(), others);
  }

  /** Returns this problem without faults. */
  public Problem withoutFaults() {
    return withFaults(offer -> InstanceFaultRates.NONE, profile -> TrialFaultRates.NONE);
  }

  /** Returns this problem with the shipped rates where an offer or a profile states none. */
  public Problem withDefaultFaults() {
    return withFaults(
        offer ->
            offer.faults().isNone()
                ? DefaultFaultRates.instances(offer.rentedProvider(), offer.market() == Market.SPOT)
                : offer.faults(),
        profile -> profile.faults().isNone() ? DefaultFaultRates.TRIALS : profile.faults());
  }

  /** Returns this problem with another workload. */
  public Problem withWorkload(Workload other) {
    return ProblemBuilder.builder(this).workload(other).build();
  }

  /** Returns this problem with other limits. */
  public Problem withLimits(Limits other) {
    return ProblemBuilder.builder(this).limits(other).build();
  }

  /** Returns this problem with other random numbers. */
  public Problem withSeed(long other) {
    return ProblemBuilder.builder(this).seed(other).build();
  }

  /** Returns this problem for a fixed cluster. */
  public Problem withCluster(FixedCluster fixed) {
    return ProblemBuilder.builder(this).cluster(Optional.of(fixed)).build();
  }

  /** Returns this problem with another limit for hung attempts. */
  public Problem withSilence(SilenceLimit other) {
    return ProblemBuilder.builder(this).silence(other).build();
  }

  /** Returns this problem for trials whose programs wait for their next units, or do not. */
  public Problem withKeepAlive(boolean waits) {
    return waits == keepAlive ? this : ProblemBuilder.builder(this).keepAlive(waits).build();
  }

  /**
   * Returns the measured correlation of the results of a trial in two rungs, or the assumed one.
   */
  public double expectedRankCorrelation() {
    return rankCorrelation().map(RankCorrelation::value).orElse(RungRule.ASSUMED_RANK_CORRELATION);
  }

  /**
   * Returns the correlation of the results of a trial in two rungs that the most trials have shown;
   * empty if it was not measured.
   */
  public Optional<RankCorrelation> rankCorrelation() {
    return profiles.values().stream()
        .flatMap(profile -> profile.rankCorrelation().stream())
        .max(
            Comparator.comparingInt(RankCorrelation::trials)
                .thenComparingDouble(RankCorrelation::value));
  }

  /** Returns the policy that divides the fixed cluster; list scheduling without one. */
  public PolicyOptions policy() {
    return cluster.map(FixedCluster::policy).orElse(ListOptions.DEFAULT);
  }

  /**
   * Returns the options of Fluid; empty if another policy divides the instances among the trials.
   */
  public Optional<FluidOptions> fluid() {
    return policy() instanceof FluidOptions fluid ? Optional.of(fluid) : Optional.empty();
  }

  /**
   * Returns the options of Hermes; empty if another policy divides the instances among the trials.
   */
  public Optional<HermesOptions> hermes() {
    return policy() instanceof HermesOptions options ? Optional.of(options) : Optional.empty();
  }

  /**
   * Returns the options of HyperSched; empty if another policy divides the instances among the
   * trials.
   */
  public Optional<HyperSchedOptions> hyperSched() {
    return policy() instanceof HyperSchedOptions options ? Optional.of(options) : Optional.empty();
  }

  /**
   * Returns when the search ends in any case, in seconds from the start of the plan; empty if it
   * has no such limit.
   */
  public OptionalDouble endsAtS() {
    return hyperSched().isPresent()
        ? limits.deadlineS()
        : workload
            .rungs()
            .map(rule -> rule.endS(limits.deadlineS()))
            .orElse(OptionalDouble.empty());
  }
}
