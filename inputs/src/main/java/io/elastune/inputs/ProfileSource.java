package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.ProfileStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Loads profiles from files or from the profile store. */
final class ProfileSource {
  private final InputEnvironment environment;
  private final List<String> remarks = new ArrayList<>();

  ProfileSource(InputEnvironment environment) {
    this.environment = environment;
  }

  /** Reads the profiles in {@code files}, which must have different GPU models and this unit. */
  ParseResult<List<LoadedFile<Profile>>> read(List<Path> files, String unit) {
    return checked(
        files.stream()
            .map(file -> new TextFileReader(environment).read(file, ProfileFile::parse))
            .toList(),
        unit);
  }

  /** Returns profiles from times that a program states, and those in {@code files}. */
  ParseResult<List<LoadedFile<Profile>>> known(
      List<KnownTimes> known, List<Path> files, LoadedFile<Job> job, Instant now) {
    List<ParseResult<LoadedFile<Profile>>> all = new ArrayList<>();
    known.forEach(one -> all.add(one.profile(job.value(), now)));
    files.forEach(file -> all.add(new TextFileReader(environment).read(file, ProfileFile::parse)));
    return checked(all, job.value().search().resource().unit());
  }

  private static ParseResult<List<LoadedFile<Profile>>> checked(
      List<ParseResult<LoadedFile<Profile>>> read, String unit) {
    List<FileProblem> problems = new ArrayList<>();
    List<LoadedFile<Profile>> profiles = new ArrayList<>();
    Map<String, String> fileOfGpu = new HashMap<>();
    for (ParseResult<LoadedFile<Profile>> one : read) {
      problems.addAll(one.problems());
      var unused = one.match(profiles::add, problem -> false);
    }
    for (LoadedFile<Profile> profile : profiles) {
      problems.addAll(misfits(profile, unit, fileOfGpu));
    }
    return problems.isEmpty()
        ? new ParseResult.ValidFile<>(profiles)
        : new ParseResult.InvalidFile<>(problems);
  }

  private static List<FileProblem> misfits(
      LoadedFile<Profile> profile, String unit, Map<String, String> fileOfGpu) {
    List<FileProblem> problems = new ArrayList<>();
    String other = fileOfGpu.putIfAbsent(profile.value().gpu(), profile.name());
    if (other != null) {
      String message = "is " + profile.value().gpu() + ", the same as in " + other;
      problems.add(new FileProblem(profile.name(), 0, "gpu", message, "one profile per GPU model"));
    }
    if (!profile.value().unit().equals(unit)) {
      String message =
          "is '" + profile.value().unit() + "', but the unit of the job is '" + unit + "'";
      problems.add(new FileProblem(profile.name(), 0, "unit", message, ""));
    }
    return problems;
  }

  /**
   * Returns the stored profiles of the job's program on any of {@code gpus}, combined with the
   * history of its runs and of the leases of {@code offers}. Their texts are those of the stored
   * profiles: a saved plan is not stale after each run.
   */
  List<LoadedFile<Profile>> stored(
      LoadedFile<Job> job, List<Offer> offers, List<String> gpus, Instant now) {
    ProfileStore store = new ProfileStore(environment.home());
    Path workdir = job.folder().resolve(job.value().trial().workdir()).normalize();
    LearnedProfiles learned = new LearnedProfiles(environment, job.value(), offers, workdir, now);
    List<LoadedFile<Profile>> profiles =
        gpus.stream()
            .flatMap(gpu -> store.find(job.value(), workdir, gpu, now).stream())
            .map(profile -> loaded(profile).with(learned.combined(profile)))
            .toList();
    remarks.addAll(learned.remarks());
    for (String gpu : gpus) {
      if (profiles.stream().noneMatch(profile -> profile.value().gpu().equals(gpu))) {
        store
            .similar(job.value(), gpu)
            .ifPresent(
                file ->
                    remarks.add(
                        "a profile of "
                            + job.value().name()
                            + " on "
                            + gpu
                            + " is stored, but it is old, or its folder, command or search space"
                            + " differs; to use it: --profile "
                            + environment.displayPath(file)));
      }
    }
    return profiles;
  }

  /** Returns notes about the stored profiles. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  static LoadedFile<Profile> loaded(Profile profile) {
    return new LoadedFile<>(
        Path.of(""), "the profile of " + profile.gpu(), ProfileFile.write(profile), profile);
  }
}
