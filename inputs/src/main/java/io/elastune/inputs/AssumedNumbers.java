package io.elastune.inputs;

import io.elastune.core.Spread;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Determines which numbers of a prediction were neither measured nor queried: queueing and boot
 * times of offers, training times at GPU counts between two measured ones or assumed by a user, and
 * prices that replace unavailable ones.
 */
public final class AssumedNumbers {
  private static final double SETUP_S = 60;

  private final Problem problem;
  private final RankModel ranks;
  private final Set<String> measured;

  private final OfferCatalog catalog;

  /** Describes predictions without learning curves. */
  public AssumedNumbers(Inputs inputs, Problem problem) {
    this(inputs, problem, RankModel.of(problem));
  }

  /**
   * Describes predictions with these ranks and, if it has them, learning curves. Reads the measured
   * offers from the problem's profiles.
   */
  public AssumedNumbers(Inputs inputs, Problem problem, RankModel ranks) {
    this.problem = problem;
    this.ranks = ranks;
    this.catalog = inputs.catalog().value();
    measured =
        problem.profiles().values().stream()
            .flatMap(profile -> profile.provisioning().stream())
            .filter(ProvisioningTimes::isMeasured)
            .map(ProvisioningTimes::offer)
            .flatMap(SimulatedOffers::withSimulatedName)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns whether the boot times of the job's offers lack its setup or its image: those of a
   * provider do, those of an offers file do not.
   */
  public static boolean assumesSetup(Job job) {
    boolean prepares = job.trial().setup().isPresent() || job.trial().image().isPresent();
    return prepares && job.resources().offers().isEmpty();
  }

  /**
   * Returns the assumed time of the job's setup, which the boot times of its offers lack; empty if
   * they are those of an offers file.
   */
  static Optional<Spread> shippedSetup(Job job) {
    return job.resources().offers().isPresent()
        ? Optional.empty()
        : Optional.of(Spread.exactly(assumesSetup(job) ? SETUP_S : 0));
  }

  /** Returns the offer with an assumed time for the job's setup, if it is of a cloud. */
  static Offer withSetup(Offer offer) {
    Spread boot = offer.bootS();
    return offer.price() == PriceKind.LIST
        ? offer.withProvisioning(offer.queueS(), new Spread(boot.mean() + SETUP_S, boot.cv()))
        : offer;
  }

  /** Returns whether a group's prediction uses an assumed number. */
  public boolean isAssumed(Allocation allocation) {
    return isAssumed(allocation.offer())
        || !assumedMetrics().isEmpty()
        || isInterpolated(allocation)
        || catalog.replacementDate(allocation.offer()).isPresent()
        || assumedProfile(allocation.offer()).isPresent();
  }

  /** What is assumed of the metrics of trials, on which a prediction depends. */
  private List<String> assumedMetrics() {
    List<String> assumed = new ArrayList<>();
    if (ranks.curves().isPresent()) {
      return assumed;
    }
    if (problem.hermes().isPresent() || problem.hyperSched().isPresent()) {
      assumed.add("learning_curves");
    }
    boolean isSampled = ranks.order() == RankModel.Order.SAMPLED;
    boolean hasRungs = problem.workload().rungs().isPresent();
    if (isSampled && hasRungs && problem.rankCorrelation().isEmpty()) {
      assumed.add("rank_correlation");
    }
    return assumed;
  }

  /** Returns the profile of an offer, if a user assumed it. */
  private Optional<Profile> assumedProfile(String offer) {
    return problem
        .offer(offer)
        .flatMap(problem::profile)
        .filter(profile -> profile.measured().isAssumed());
  }

  /** Returns descriptions of the assumed training times of {@code plan}. */
  public List<String> speeds(Plan plan) {
    return plan.allocations().values().stream()
        .flatMap(allocation -> assumedProfile(allocation.offer()).stream())
        .map(profile -> "seconds per " + profile.unit() + " on " + profile.gpu())
        .distinct()
        .sorted()
        .toList();
  }

  private boolean isAssumed(String offer) {
    return !measured.contains(offer);
  }

  /** Returns the names of the offers of {@code plan} with assumed queueing and boot times. */
  public List<String> offers(Plan plan) {
    Set<String> offers = new TreeSet<>();
    plan.allocations().values().forEach(allocation -> offers.add(allocation.offer()));
    return offers.stream().filter(this::isAssumed).toList();
  }

  /** Returns the names of the offers of {@code plan} with a price that replaces a live one. */
  public List<String> replacedPrices(Plan plan) {
    return plan.allocations().values().stream()
        .map(Allocation::offer)
        .distinct()
        .filter(offer -> catalog.replacementDate(offer).isPresent())
        .sorted()
        .toList();
  }

  /** Returns descriptions of the interpolated training times of {@code plan}. */
  public List<String> interpolatedSpeeds(Plan plan) {
    Set<Integer> gpus = new TreeSet<>();
    plan.allocations().values().stream()
        .filter(this::isInterpolated)
        .forEach(allocation -> gpus.add(allocation.gpusPerTrial()));
    return gpus.stream()
        .map(count -> "seconds per unit at " + count + " GPUs (interpolated)")
        .toList();
  }

  /** Returns the assumed numbers, e.g. {@code queue_s aws/us-east-1/p3.8xlarge/on-demand}. */
  public List<String> names(Plan plan) {
    return Stream.of(
            offers(plan).stream()
                .flatMap(offer -> Stream.of("queue_s " + offer, "boot_s " + offer)),
            replacedPrices(plan).stream().map(offer -> "usd_per_hour " + offer),
            speeds(plan).stream(),
            assumedMetrics().stream(),
            interpolatedSpeeds(plan).stream())
        .flatMap(names -> names)
        .toList();
  }

  /** Returns {@code ~} if any of {@code plans} uses an assumed number, otherwise nothing. */
  public String mark(Stream<Plan> plans) {
    return plans.anyMatch(plan -> !names(plan).isEmpty()) ? "~" : "";
  }

  /** Sharing is never interpolated: only measured counts of trials per GPU are allowed. */
  private boolean isInterpolated(Allocation allocation) {
    return allocation.trialsPerGpu() == 1
        && problem
            .offer(allocation.offer())
            .flatMap(problem::profile)
            .map(Profile::secondsByGpus)
            .filter(table -> !table.containsKey(allocation.gpusPerTrial()))
            .isPresent();
  }
}
