package io.elastune.cli.wiring;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.world.World;
import io.elastune.core.files.FileProblem;
import io.elastune.core.files.FileProblemsException;
import io.elastune.core.files.Overrides;
import io.elastune.core.files.Parsed;
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

/** Reads a job, its offers and its profiles, and puts the planner's problem together. */
public final class InputsLoader {
  private final World world;

  public InputsLoader(World world) {
    this.world = world;
  }

  /**
   * Loads everything.
   *
   * @throws FileProblemsException with all that is wrong with any of the files
   */
  public Inputs load(String file, Overrides overrides) {
    boolean simulated = overrides.infra().equals(List.of(Offer.SIMULATED));
    return simulated
        ? load(simulated(file, overrides), overrides)
        : load(new JobLoader(world).load(file, overrides), overrides);
  }

  /** The job in the simulated world: stand-ins for what it allows, where none is offered there. */
  private Loaded<Job> simulated(String file, Overrides overrides) {
    JobLoader jobs = new JobLoader(world);
    Loaded<Job> own = jobs.load(file, overrides.withInfra(List.of()));
    Loaded<Job> there = jobs.load(file, overrides);
    boolean offered =
        own.value().resources().offers().isPresent()
            && catalog(there).match(found -> StandIns.needless(found.value()), bad -> true);
    return offered
        ? there
        : jobs.load(file, overrides.withInfra(StandIns.of(own.value().resources().infra())));
  }

  /** Loads everything for a job that has been read already. */
  public Inputs load(Loaded<Job> job, Overrides overrides) {
    Instant now = world.clock().instant();
    ProfileSource profiles = new ProfileSource(world);
    Parsed<Loaded<OfferCatalog>> catalog = catalog(job);
    Parsed<List<Loaded<Profile>>> named =
        profiles.read(profileFiles(job, overrides), job.value().search().resource().unit());
    refuse(catalog.problems(), named.problems());
    Loaded<OfferCatalog> offers = StandIns.in(catalog.orThrow(), job.value().resources().infra());
    return new Assembly(job, workload(job), offers, now)
        .inputs(gpus -> someOf(named.orThrow()).orElseGet(() -> profiles.stored(job, gpus, now)));
  }

  private Parsed<Loaded<OfferCatalog>> catalog(Loaded<Job> job) {
    List<String> places = job.value().resources().infra();
    OfferSource offers = new OfferSource(world);
    return job.value()
        .resources()
        .offers()
        .map(named -> offers.read(job.folder().resolve(named).normalize()))
        .orElseGet(() -> offers.known(StandIns.behind(places), job.name()));
  }

  private static List<Path> profileFiles(Loaded<Job> job, Overrides overrides) {
    List<String> named =
        overrides.profiles().isEmpty()
            ? job.value().profile().file().stream().toList()
            : overrides.profiles();
    return named.stream().map(name -> job.folder().resolve(name).normalize()).toList();
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
      throw CommandFailure.usage(job.name(), "search", "makes no trial groups: " + e.getMessage());
    }
  }
}
