package io.elastune.inputs;

import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.JobFile;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.job.Job;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.job.Resources;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.KnownTrials;
import io.elastune.profiler.RunVariation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the planner's problem from the loaded files. */
final class ProblemFactory {
  private static final int MAX_MODELS = 4;
  private static final int MAX_NAMES = 8;

  private final LoadedFile<Job> job;
  private final Workload workload;
  private final LoadedFile<OfferCatalog> catalog;
  private final BiFunction<List<Offer>, List<Profile>, List<Quota>> capacity;
  private final ToIntFunction<Offer> existing;
  private final Instant now;
  private boolean measuresAgain;

  /**
   * Creates a factory.
   *
   * @param capacity returns the limits on offers besides those of the catalog, for programs with
   *     these profiles
   * @param existing returns how many instances of an offer exist besides
   */
  ProblemFactory(
      LoadedFile<Job> job,
      Workload workload,
      LoadedFile<OfferCatalog> catalog,
      BiFunction<List<Offer>, List<Profile>, List<Quota>> capacity,
      ToIntFunction<Offer> existing,
      Instant now) {
    this.job = job;
    this.workload = workload;
    this.catalog = catalog;
    this.capacity = capacity;
    this.existing = existing;
    this.now = now;
  }

  /** Returns this factory for a command that measures the program again, whatever it needs. */
  ProblemFactory measuringAgain() {
    measuresAgain = true;
    return this;
  }

  /**
   * Builds the inputs.
   *
   * @param profilesOf returns the profiles for GPU models
   */
  Inputs inputs(Function<List<String>, List<LoadedFile<Profile>>> profilesOf) {
    List<Offer> allowed = allowed();
    List<Quota> devices = capacity.apply(allowed, List.of());
    requireRoom(allowed, devices);
    List<String> gpus = allowed.stream().map(Offer::gpu).distinct().toList();
    List<LoadedFile<Profile>> profiles = profilesOf.apply(gpus);
    if (profiles.isEmpty()) {
      Limits limits = limits(devices);
      return inputs(
          allowed, profiles, List.of(), Optional.empty(), limits, cluster(allowed, limits));
    }
    List<Map<String, Object>> trials = trials(profiles);
    boolean withSetup = AssumedNumbers.assumesSetup(job.value());
    List<Offer> offers =
        allowed.stream().map(offer -> measured(offer, profiles, withSetup)).toList();
    Map<String, Profile> byGpu =
        profiles.stream()
            .map(profile -> profile.value().forTrials(trials))
            .map(profile -> RunVariation.of(profile, workload, trials))
            .map(profile -> TrialsAtOnce.forSearch(profile, workload, job.value().policy()))
            .collect(Collectors.toMap(Profile::gpu, some -> some, (a, b) -> a, TreeMap::new));
    List<Offer> usable = offers.stream().filter(offer -> byGpu.containsKey(offer.gpu())).toList();
    if (usable.isEmpty()) {
      throw noneProfiled(gpus, byGpu);
    }
    List<Quota> local = capacity.apply(allowed, List.copyOf(byGpu.values()));
    MemoryCheck memory = new MemoryCheck(job, catalog.name(), usable, byGpu, local);
    if (memory.isTooLittle()) {
      if (!measuresAgain) {
        throw memory.refusal();
      }
      local = devices;
    }
    Limits limits = limits(local);
    Problem problem =
        new Problem(
                workload,
                usable,
                byGpu,
                job.value().trial().gpus(),
                limits,
                job.value().runningCosts(workload),
                job.value().search().seed())
            .withSilence(SilenceLimit.of(job.value().trial().silence()))
            .withKeepAlive(job.value().trial().keepAlive());
    Optional<FixedCluster> cluster = cluster(usable, limits);
    problem = cluster.map(problem::withCluster).orElse(problem);
    List<String> remarks = new ArrayList<>(excluded(offers, usable));
    byGpu.values().forEach(profile -> configurationRemark(profile).ifPresent(remarks::add));
    return inputs(offers, profiles, remarks, Optional.of(problem), limits, cluster);
  }

  /** Returns a note if predictions depend on the hyperparameters of the trials. */
  private static Optional<String> configurationRemark(Profile profile) {
    ConfigurationEffect effect = profile.configurations();
    if (effect.factors().isEmpty()) {
      return Optional.empty();
    }
    List<String> names =
        effect.terms().stream().map(ConfigurationEffect.Term::parameter).distinct().toList();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "durations on %s depend on %s: this explains %.0f%% of the variance between trials"
                + " (n=%d)",
            profile.gpu(),
            String.join(", ", names),
            100 * effect.explained(),
            effect.trials()));
  }

  /** Returns the hyperparameters of all trials, if predictions depend on them. */
  private List<Map<String, Object>> trials(List<LoadedFile<Profile>> profiles) {
    boolean matter =
        profiles.stream()
            .map(LoadedFile::value)
            .anyMatch(profile -> profile.configurations().isKnown() || profile.runCv() > 0);
    return matter ? KnownTrials.of(job.value().search(), workload) : List.of();
  }

  private Inputs inputs(
      List<Offer> allowed,
      List<LoadedFile<Profile>> profiles,
      List<String> remarks,
      Optional<Problem> problem,
      Limits limits,
      Optional<FixedCluster> cluster) {
    return new Inputs(
        job, workload, catalog, allowed, profiles, remarks, problem, limits, cluster, now);
  }

  /** Fails if the machine has too few GPUs for a single instance of any offer. */
  private void requireRoom(List<Offer> allowed, List<Quota> local) {
    if (!ProviderCapacity.hasRoom(local, allowed)) {
      Offer offer = allowed.get(0);
      Quota tight =
          local.stream().filter(quota -> quota.maxInstances(offer.name()) < 1).findFirst().get();
      throw JobProblems.usage(
          job,
          "resources",
          "%s needs %d %s per instance, and this machine has %d; lower gpus in %s"
              .formatted(
                  offer.name(),
                  tight.unitsPerInstance(offer.name()),
                  tight.unit().equals("GPU") ? "GPUs" : tight.unit(),
                  tight.limit(),
                  catalog.name()));
    }
  }

  /**
   * Returns the fixed cluster of the job: the instances that it names, or all that exist.
   *
   * @throws FileProblemsException if the policy needs a single offer, or the number is not known
   */
  private Optional<FixedCluster> cluster(List<Offer> allowed, Limits limits) {
    if (!job.value().hasFixedCluster()) {
      return Optional.empty();
    }
    PolicyOptions policy = job.value().policy();
    if (policy.choosesSizes() && allowed.size() > 1) {
      throw noCluster(policy, "it allows " + allowed.size() + " offers: " + names(allowed));
    }
    Optional<Integer> named = job.value().resources().instances();
    if (named.isPresent()) {
      requireMachine(allowed, limits, named.get());
      return Optional.of(new FixedCluster(named.get(), policy));
    }
    int existing = existing(allowed.get(0), limits);
    if (existing < 1 || existing == Integer.MAX_VALUE) {
      String name = allowed.get(0).name();
      throw noCluster(
          policy,
          existing < 1
              ? "no instance of " + name + " exists"
              : "how many instances of " + name + " exist is unknown");
    }
    return Optional.of(new FixedCluster(Math.min(existing, limits.maxInstances()), policy));
  }

  /** A cluster that this machine cannot hold is a problem of the job, and not a plan. */
  private void requireMachine(List<Offer> allowed, Limits limits, int instances) {
    for (Quota quota : limits.quotas()) {
      if (quota.isOfThisMachine()
          && allowed.stream().allMatch(offer -> quota.maxInstances(offer.name()) < instances)) {
        throw JobProblems.usage(
            job,
            "resources.instances",
            "is %d, and %s allows at most %d × %s"
                .formatted(
                    instances,
                    quota,
                    quota.maxInstances(allowed.get(0).name()),
                    allowed.get(0).name()));
      }
    }
  }

  private int existing(Offer offer, Limits limits) {
    return limits.quotas().stream()
        .mapToInt(quota -> quota.maxInstances(offer.name()))
        .reduce(existing.applyAsInt(offer), Math::min);
  }

  private FileProblemsException noCluster(PolicyOptions policy, String why) {
    String message =
        policy.word() + " needs a fixed cluster; set resources.instances and one instance type";
    return JobFile.lineOf(job.text(), "policy") > 0
        ? JobProblems.usage(job, "policy", message, why)
        : JobProblems.option("--policy", message, why);
  }

  private Limits limits(List<Quota> local) {
    OptionalDouble deadlineS =
        job.value()
            .deadline()
            .map(deadline -> OptionalDouble.of(deadline.secondsFrom(now)))
            .orElse(OptionalDouble.empty());
    return new Limits(
        deadlineS,
        job.value()
            .budget()
            .map(budget -> OptionalDouble.of(budget.usd()))
            .orElse(OptionalDouble.empty()),
        job.value().confidence(),
        job.value().resources().maxInstances(),
        job.value().resources().maxHourlyUsd().orElse(Double.POSITIVE_INFINITY),
        Stream.concat(catalog.value().quotas().stream(), local.stream()).toList());
  }

  /** Without a rate of preemptions, spot capacity would always look better than on demand. */
  private static Offer withPreemptions(Offer offer) {
    return offer.market() == Market.SPOT && offer.faults().isNone()
        ? offer.withFaults(DefaultFaultRates.instances(offer.rentedProvider(), true))
        : offer;
  }

  private List<Offer> allowed() {
    Resources resources = job.value().resources();
    List<Offer> allowed =
        catalog.value().offers().stream()
            .filter(resources::allows)
            .map(offer -> offer.discounted(resources.discount()))
            .map(offer -> resources.market() == MarketChoice.AUTO ? withPreemptions(offer) : offer)
            .toList();
    if (allowed.isEmpty()) {
      throw JobProblems.usage(
          job,
          "resources",
          "none of the offers in %s match infra %s, instance types %s, %smarket %s%s; available: %s%s"
              .formatted(
                  catalog.name(),
                  String.join(", ", resources.infra()),
                  resources.instanceTypes().isEmpty()
                      ? "any"
                      : String.join(", ", resources.instanceTypes()),
                  resources.gpus().isEmpty()
                      ? ""
                      : "GPU " + String.join(", ", resources.gpus()) + ", ",
                  resources.market().word(),
                  NoMatchReason.of(
                          catalog.value().offers(),
                          resources::allowsInAnyMarket,
                          resources.gpus(),
                          resources.instanceTypes())
                      .stream()
                      .map(reason -> "; " + reason)
                      .collect(Collectors.joining()),
                  names(catalog.value().offers()),
                  withoutOffersFile(resources)));
    }
    return allowed;
  }

  /** Returns a remedy if the job's offers file has no offer of some of its locations. */
  private String withoutOffersFile(Resources resources) {
    List<String> missing =
        resources.infra().stream()
            .filter(
                infra ->
                    catalog.value().offers().stream()
                        .noneMatch(one -> (one.infra() + "/").startsWith(infra + "/")))
            .toList();
    return resources.offers().isEmpty() || missing.isEmpty()
        ? ""
        : "; add offers of "
            + String.join(", ", missing)
            + " to the file, or remove resources.offers to use those that Elastune has";
  }

  /**
   * Returns the offer with its measured provisioning times, if a profile has them.
   *
   * @param withSetup whether the job's setup is not yet part of a boot time that was not measured
   */
  private static Offer measured(
      Offer offer, List<LoadedFile<Profile>> profiles, boolean withSetup) {
    return profiles.stream()
        .flatMap(profile -> profile.value().provisioning().stream())
        .filter(
            provisioningTimes ->
                SimulatedOffers.withSimulatedName(provisioningTimes.offer())
                    .anyMatch(offer.name()::equals))
        .findFirst()
        .map(found -> offer.withProvisioning(found.queueS(), found.bootS()))
        .orElse(withSetup ? AssumedNumbers.withSetup(offer) : offer);
  }

  private static List<String> excluded(List<Offer> offers, List<Offer> usable) {
    List<Offer> without = new ArrayList<>(offers);
    without.removeAll(usable);
    if (without.isEmpty()) {
      return List.of();
    }
    List<String> models = without.stream().map(Offer::gpu).distinct().toList();
    String count = without.size() == 1 ? "1 offer" : without.size() + " offers";
    return List.of(
        "skipped "
            + count
            + ": no profile for "
            + (models.size() > MAX_MODELS
                ? models.size() + " GPU models ('elastune offers' lists them)"
                : String.join(", ", models)));
  }

  private FileProblemsException noneProfiled(List<String> gpus, Map<String, Profile> byGpu) {
    return JobProblems.usage(
        job,
        "profile",
        "the offers have GPU %s, but the profiles are for %s"
            .formatted(String.join(", ", gpus), String.join(", ", byGpu.keySet())));
  }

  private static String names(List<Offer> offers) {
    String first =
        offers.stream().limit(MAX_NAMES).map(Offer::name).collect(Collectors.joining(", "));
    int more = offers.size() - MAX_NAMES;
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
