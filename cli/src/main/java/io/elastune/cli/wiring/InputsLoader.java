package io.elastune.cli.wiring;

import io.elastune.cli.world.World;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loads a job with its offers and profiles, and builds the planner's problem. */
public final class InputsLoader {
  private final World world;

  public InputsLoader(World world) {
    this.world = world;
  }

  /**
   * Loads a job file and everything that it refers to.
   *
   * @throws FileProblemsException with the problems of all files
   */
  public Inputs load(String file, Overrides overrides) {
    boolean simulated = overrides.infra().equals(List.of(Offer.SIMULATED));
    return simulated
        ? load(simulated(file, overrides), overrides)
        : load(new JobLoader(world).load(file, overrides), overrides);
  }

  /**
   * Loads the job for the simulated environment. Its own offers are simulated unless its offers
   * file has simulated offers.
   */
  private Loaded<Job> simulated(String file, Overrides overrides) {
    JobLoader jobs = new JobLoader(world);
    Loaded<Job> own = jobs.load(file, overrides.withInfra(List.of()));
    Loaded<Job> there = jobs.load(file, overrides);
    boolean offered =
        own.value().resources().offers().isPresent()
            && catalog(there, overrides)
                .match(found -> StandIns.needless(found.value()), bad -> true);
    return offered
        ? there
        : jobs.load(file, overrides.withInfra(StandIns.of(own.value().resources().infra())));
  }

  /** Loads the offers and profiles of a job. */
  public Inputs load(Loaded<Job> job, Overrides overrides) {
    Instant now = world.clock().instant();
    ProfileSource profiles = new ProfileSource(world);
    ParseResult<Loaded<OfferCatalog>> catalog = catalog(job, overrides);
    ParseResult<List<Loaded<Profile>>> named = named(profiles, job, overrides);
    refuse(catalog.problems(), named.problems());
    Loaded<OfferCatalog> offers = StandIns.in(catalog.orThrow(), job.value().resources().infra());
    return new Assembly(job, workload(job), offers, now)
        .inputs(gpus -> someOf(named.orThrow()).orElseGet(() -> profiles.stored(job, gpus, now)));
  }

  private ParseResult<Loaded<OfferCatalog>> catalog(Loaded<Job> job, Overrides overrides) {
    List<String> places = job.value().resources().infra();
    OfferSource offers = new OfferSource(world);
    Optional<String> named = job.value().resources().offers();
    if (named.isEmpty()) {
      return offers.known(StandIns.behind(places), job.name());
    }
    ParseResult<Loaded<OfferCatalog>> read =
        offers.read(job.folder().resolve(named.get()).normalize());
    return overrides.offers().isPresent() ? read : JobProblems.named(job, OfferSource.FIELD, read);
  }

  private static ParseResult<List<Loaded<Profile>>> named(
      ProfileSource profiles, Loaded<Job> job, Overrides overrides) {
    boolean inFile = overrides.profiles().isEmpty();
    List<String> names =
        inFile ? job.value().profile().file().stream().toList() : overrides.profiles();
    List<Path> files = names.stream().map(name -> job.folder().resolve(name).normalize()).toList();
    ParseResult<List<Loaded<Profile>>> read =
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

  private static Workload workload(Loaded<Job> job) {
    try {
      return TrialGroups.of(job.value().search());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw JobProblems.usage(
          job, "search", "cannot be split into trial groups: " + e.getMessage());
    }
  }
}
