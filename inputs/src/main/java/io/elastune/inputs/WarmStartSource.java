package io.elastune.inputs;

import io.elastune.core.config.FileProblemsException;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.job.WarmStart;
import io.elastune.core.offer.Offer;
import io.elastune.core.search.SpacePoint;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the best configurations of the earlier run that a job names in {@code warm_start}. */
final class WarmStartSource {
  private static final String FIELD = "search.warm_start.run";
  private static final int MOST_NAMED = 3;

  private final InputEnvironment environment;
  private final LoadedFile<Job> job;
  private final Search search;
  private final List<String> remarks = new ArrayList<>();

  WarmStartSource(InputEnvironment environment, LoadedFile<Job> job) {
    this.environment = environment;
    this.job = job;
    this.search = job.value().search();
  }

  /** The results of an earlier run, the best trial first. */
  private record EarlierRun(
      String name, RunMeta meta, boolean simulated, Instant began, List<TrialRow> ranked) {}

  /**
   * Returns the job with the configurations. A job without a warm start, and one that contains the
   * configurations already, are returned as they are.
   *
   * @throws FileProblemsException if the run cannot be used
   */
  LoadedFile<Job> load() {
    Optional<WarmStart> given = search.warmStart().filter(warm -> warm.configs().isEmpty());
    if (given.isEmpty()) {
      return job;
    }
    boolean latest = given.get().run().equals(WarmStart.LATEST);
    Optional<EarlierRun> run = latest ? latest() : Optional.of(named(given.get().run()));
    if (run.isEmpty()) {
      remarks.add("warm start: no earlier run of this job has results yet");
    }
    WarmStart found =
        run.map(earlier -> given.get().withConfigs(earlier.name(), best(earlier, given.get())))
            .orElseGet(() -> given.get().withConfigs(WarmStart.LATEST, List.of()));
    Job changed = job.value().withSearch(search.withWarmStart(found));
    return new LoadedFile<>(job.path(), job.name(), job.text(), changed);
  }

  /** Returns notes about what was read, for the plan screen. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  private boolean isSimulated() {
    return job.value().resources().infra().stream()
        .allMatch(place -> place.startsWith(Offer.SIMULATED));
  }

  private Optional<EarlierRun> latest() {
    Pattern name = Pattern.compile(Pattern.quote(job.value().name()) + "-\\d{8}-[a-z0-9]{4}");
    return RunFolder.all(environment.home()).stream()
        .filter(folder -> name.matcher(folder.run()).matches())
        .flatMap(folder -> readable(folder).stream())
        .filter(run -> unusable(run).isEmpty())
        .max(Comparator.comparing(EarlierRun::began));
  }

  /** A journal that cannot be read has no results. */
  private static Optional<EarlierRun> readable(RunFolder folder) {
    try {
      return Optional.of(read(folder));
    } catch (JournalException e) {
      return Optional.empty();
    }
  }

  private EarlierRun named(String name) {
    List<RunFolder> runs =
        RunFolder.all(environment.home()).stream()
            .filter(folder -> folder.run().startsWith(name))
            .toList();
    RunFolder meant =
        runs.stream()
            .filter(folder -> folder.run().equals(name) || runs.size() == 1)
            .findFirst()
            .orElseThrow(
                () ->
                    unusable(
                        runs.isEmpty()
                            ? "no run has the name or prefix '" + name + "'"
                            : "'" + name + "' is a prefix of " + runs.size() + " runs"));
    try {
      EarlierRun run = read(meant);
      unusable(run)
          .ifPresent(
              why -> {
                throw unusable("run " + run.name() + " " + why);
              });
      return run;
    } catch (JournalException e) {
      throw unusable("run " + meant.run() + " cannot be read: " + e.getMessage());
    }
  }

  private FileProblemsException unusable(String why) {
    return JobProblems.usage(job, FIELD, why);
  }

  private static EarlierRun read(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      RunMeta meta = RunMeta.of(reader.meta());
      return new EarlierRun(
          folder.run(),
          meta,
          reader.groups().stream()
              .allMatch(group -> group.offer().startsWith(Offer.SIMULATED + "/")),
          reader.progress().began().orElse(Instant.EPOCH),
          reader.trials().stream()
              .filter(row -> Double.isFinite(row.metric().orElse(Double.NaN)))
              .sorted(TrialRow.byRank(meta.metric().goal()))
              .toList());
    }
  }

  private Optional<String> unusable(EarlierRun run) {
    Metric theirs = run.meta().metric();
    if (run.meta().kind() == RunMeta.Kind.PROFILE) {
      return Optional.of("is a profiling run");
    }
    if (run.simulated() && !isSimulated()) {
      return Optional.of("was simulated: its metrics are synthetic");
    }
    if (!theirs.isComparable(search.metric())) {
      return Optional.of(
          "compared trials by %s (%s), but this job by %s (%s)"
              .formatted(
                  theirs.name(),
                  theirs.goal().word(),
                  search.metric().name(),
                  search.metric().goal().word()));
    }
    return run.ranked().isEmpty()
        ? Optional.of("has no trial with " + theirs.name())
        : Optional.empty();
  }

  /** Returns its best configurations that are in the space and not among the job's own. */
  private List<Map<String, Object>> best(EarlierRun run, WarmStart given) {
    int most = Math.min(given.best(), search.mostConfigurations() - search.configs().size());
    List<Map<String, Object>> best = new ArrayList<>();
    List<String> outside = new ArrayList<>();
    for (TrialRow row : run.ranked()) {
      if (best.size() >= most) {
        break;
      }
      SpacePoint point = SpacePoint.of(search.space(), row.values());
      point.why().ifPresent(why -> outside.add("trial " + row.trial() + " (" + why + ")"));
      if (point.why().isPresent() || point.values().isEmpty()) {
        continue;
      }
      if (!search.configs().contains(point.values()) && !best.contains(point.values())) {
        best.add(point.values());
      }
    }
    if (!outside.isEmpty()) {
      int more = outside.size() - MOST_NAMED;
      remarks.add(
          "warm start without "
              + String.join(", ", outside.subList(0, Math.min(MOST_NAMED, outside.size())))
              + (more > 0 ? " and " + more + " more" : "")
              + " of run "
              + run.name());
    }
    return best;
  }
}
