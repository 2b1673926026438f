package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.SpaceRemarks;
import io.elastune.core.job.Job;
import io.elastune.core.job.Resources;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Loads a job with its offers and profiles, and builds the planner's problem. The offers of the
 * providers in a place are loaded once, for all jobs that one loader loads; threads may share it.
 */
public final class InputsLoader {
  private final InputEnvironment environment;
  private final Map<List<String>, ParseResult<LoadedFile<OfferCatalog>>> provided =
      new ConcurrentHashMap<>();

  public InputsLoader(InputEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Loads a job file and everything that it refers to.
   *
   * @throws FileProblemsException with the problems of all files
   */
  public Inputs load(String file, Overrides overrides) {
    return load(file, overrides, List.<KnownTimes>of());
  }

  /**
   * Loads the job for the simulated environment. Its own offers are simulated unless its offers
   * file has simulated offers.
   */
  private LoadedFile<Job> simulated(String file, Overrides overrides) {
    JobLoader jobs = new JobLoader(environment);
    LoadedFile<Job> own = jobs.load(file, overrides.withInfra(List.of()));
    LoadedFile<Job> there = jobs.load(file, overrides);
    boolean offered =
        own.value().resources().offers().isPresent()
            && catalog(there, overrides)
                .match(found -> SimulatedOffers.hasSimulatedOffers(found.value()), bad -> true);
    return offered
        ? there
        : jobs.load(
            file,
            overrides.withInfra(SimulatedOffers.simulatedPlaces(own.value().resources().infra())));
  }

  /**
   * Loads the offers of a job, for profiles that are not stored. If the overrides name locations
   * but no offers file, the offers are those of the providers there.
   *
   * @param profilesOf returns the profiles for GPU models
   */
  public Inputs load(
      String file, Overrides overrides, Function<List<String>, List<Profile>> profilesOf) {
    LoadedFile<Job> given = new JobLoader(environment).load(file, overrides);
    boolean ofProviders = !overrides.infra().isEmpty() && overrides.offers().isEmpty();
    Job job = given.value();
    return load(
        ofProviders ? given.with(job.withResources(job.resources().withoutOffers())) : given,
        overrides,
        profilesOf);
  }

  private Inputs load(
      LoadedFile<Job> job, Overrides overrides, Function<List<String>, List<Profile>> profilesOf) {
    LoadedFile<OfferCatalog> catalog = usable(job, catalog(job, overrides).orThrow());
    return factory(job, catalog, environment.clock().instant())
        .inputs(gpus -> profilesOf.apply(gpus).stream().map(ProfileSource::loaded).toList());
  }

  /**
   * Returns the catalog with simulated offers, and without those whose processors cannot run
   * trials. A note names them, except if the job allows any instance type.
   *
   * @throws FileProblemsException if the job allows no others
   */
  private LoadedFile<OfferCatalog> usable(LoadedFile<Job> job, LoadedFile<OfferCatalog> catalog) {
    Resources resources = job.value().resources();
    LoadedFile<OfferCatalog> all = SimulatedOffers.addTo(catalog, resources.infra());
    ServedOffers allowed =
        ServedOffers.of(
            environment.cloudContext(),
            all.value().offers().stream().filter(resources::allows).toList());
    if (allowed.refusals().isEmpty()) {
      return all;
    }
    if (allowed.offers().isEmpty()) {
      throw JobProblems.usage(job, "resources", allowed.refusals().get(0));
    }
    Set<Offer> served = Set.copyOf(allowed.offers());
    OfferCatalog found = all.value();
    boolean isNamed =
        !resources.instanceTypes().isEmpty()
            || !resources.gpus().isEmpty()
            || resources.offers().isPresent();
    return all.with(
        new OfferCatalog(
            found.source(),
            found.date(),
            found.offers().stream()
                .filter(offer -> served.contains(offer) || !resources.allows(offer))
                .toList(),
            found.quotas(),
            isNamed ? concat(found.notes(), allowed.refusals()) : found.notes(),
            found.priceDates()));
  }

  private static List<String> concat(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private ProblemFactory factory(
      LoadedFile<Job> job, LoadedFile<OfferCatalog> catalog, Instant now) {
    return new ProblemFactory(
        job,
        workload(job),
        catalog,
        (some, profiles) -> ProviderCapacity.of(environment, some, profiles, false),
        ProviderCapacity::existing,
        now);
  }

  /**
   * Loads a job file and everything that it refers to, with training times that a program states.
   *
   * @param known the times, which take the place of the job's profile; may be empty
   * @throws FileProblemsException with the problems of all files
   */
  public Inputs load(String file, Overrides overrides, List<KnownTimes> known) {
    boolean simulated = overrides.infra().equals(List.of(Offer.SIMULATED));
    return load(
        simulated ? simulated(file, overrides) : new JobLoader(environment).load(file, overrides),
        overrides,
        known,
        false);
  }

  /** Loads the offers and profiles of a job. */
  public Inputs load(LoadedFile<Job> given, Overrides overrides) {
    return load(given, overrides, List.of(), false);
  }

  /**
   * Loads a job whose program is measured again: a profile by which the machine has too little
   * memory is no obstacle.
   */
  public Inputs loadToMeasure(String file, Overrides overrides) {
    return overrides.infra().equals(List.of(Offer.SIMULATED))
        ? load(file, overrides)
        : load(new JobLoader(environment).load(file, overrides), overrides, List.of(), true);
  }

  private Inputs load(
      LoadedFile<Job> given, Overrides overrides, List<KnownTimes> known, boolean measuresAgain) {
    WarmStartSource warmStart = new WarmStartSource(environment, given);
    LoadedFile<Job> job = warmStart.load();
    Instant now = environment.clock().instant();
    ProfileSource profiles = new ProfileSource(environment);
    ParseResult<LoadedFile<OfferCatalog>> catalog = catalog(job, overrides);
    ParseResult<List<LoadedFile<Profile>>> named =
        known.isEmpty()
            ? named(profiles, job, overrides)
            : profiles.known(known, overrides.profiles().stream().map(Path::of).toList(), job, now);
    refuse(catalog.problems(), named.problems());
    LoadedFile<OfferCatalog> usable = usable(job, catalog.orThrow());
    List<Offer> offers =
        usable.value().offers().stream().filter(job.value().resources()::allows).toList();
    CloudTrialRates rates = new CloudTrialRates(environment, job.value());
    ProblemFactory factory = factory(job, usable, now);
    Inputs inputs =
        (measuresAgain ? factory.measuringAgain() : factory)
            .inputs(
                gpus ->
                    rates.addTo(
                        someOf(named.orThrow())
                            .orElseGet(() -> profiles.stored(job, offers, gpus, now)),
                        offers));
    for (String remark : SpaceRemarks.of(given.name(), given.text())) {
      inputs = inputs.withRemark(remark);
    }
    for (String remark : warmStart.remarks()) {
      inputs = inputs.withRemark(remark);
    }
    for (String remark : profiles.remarks()) {
      inputs = inputs.withRemark(remark);
    }
    Inputs complete = inputs;
    return new ProfiledCode(
            environment, new WorkdirCode(environment, job.value(), job.folder(), job.name()))
        .note(inputs.profiles().stream().map(profile -> profile.value().measured()).toList())
        .map(complete::withRemark)
        .orElse(complete);
  }

  private ParseResult<LoadedFile<OfferCatalog>> catalog(LoadedFile<Job> job, Overrides overrides) {
    List<String> places = job.value().resources().infra();
    OfferSource offers = new OfferSource(environment);
    Optional<String> named = job.value().resources().offers();
    if (named.isEmpty()) {
      return provided.computeIfAbsent(
          SimulatedOffers.realPlaces(places), real -> ofProviders(offers, real, job.name()));
    }
    ParseResult<LoadedFile<OfferCatalog>> read =
        offers
            .read(job.folder().resolve(named.get()).normalize())
            .match(
                file ->
                    new ParseResult.ValidFile<>(
                        offers.withLiveOffers(file, SimulatedOffers.realPlaces(places))),
                ParseResult.InvalidFile::new);
    return overrides.offers().isPresent() ? read : JobProblems.named(job, OfferSource.FIELD, read);
  }

  private ParseResult<LoadedFile<OfferCatalog>> ofProviders(
      OfferSource offers, List<String> places, String fileName) {
    return offers
        .providerOffers(places, fileName)
        .match(
            found -> new ParseResult.ValidFile<>(new CloudFaultRates(environment).addTo(found)),
            ParseResult.InvalidFile::new);
  }

  private static ParseResult<List<LoadedFile<Profile>>> named(
      ProfileSource profiles, LoadedFile<Job> job, Overrides overrides) {
    boolean inFile = overrides.profiles().isEmpty();
    List<String> names =
        inFile ? job.value().profile().file().stream().toList() : overrides.profiles();
    List<Path> files = names.stream().map(name -> job.folder().resolve(name).normalize()).toList();
    ParseResult<List<LoadedFile<Profile>>> read =
        profiles.read(files, job.value().search().resource().unit());
    return inFile ? JobProblems.named(job, "profile.file", read) : read;
  }

  private static <T> Optional<List<T>> someOf(List<T> list) {
    return Optional.of(list).filter(some -> !some.isEmpty());
  }

  private static void refuse(List<FileProblem> some, List<FileProblem> others) {
    List<FileProblem> problems = new ArrayList<>(some);
    problems.addAll(others);
    if (!problems.isEmpty()) {
      throw new FileProblemsException(problems);
    }
  }

  /** Whether a prediction includes the faults that decide when trials save checkpoints. */
  private static boolean decidesCheckpoints(Job job, Workload workload) {
    return workload.rungs().isEmpty() && !job.hasFixedCluster();
  }

  /** Returns the trial groups of a job with another search. */
  public static Workload workload(Job job, Search search) {
    Workload workload = TrialGroups.of(search).resumable(job.trial().resumable());
    return decidesCheckpoints(job, workload)
        ? workload.saving(job.trial().checkpoints().every())
        : workload;
  }

  private static Workload workload(LoadedFile<Job> job) {
    try {
      return workload(job.value(), job.value().search());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw JobProblems.usage(
          job, "search", "cannot be split into trial groups: " + e.getMessage());
    }
  }
}
