package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the runs under {@code $ELASTUNE_HOME}. */
public final class RunFinder {
  private static final String FIELD = "RUN";
  private static final int MOST_NAMED = 5;

  private final CliEnvironment cliEnvironment;

  public RunFinder(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /** Returns all runs, the newest first: every folder that a controller has ever locked. */
  public List<RunFolder> all() {
    Path runs = cliEnvironment.home().resolve("runs");
    if (!Files.isDirectory(runs)) {
      return List.of();
    }
    Comparator<RunFolder> byAge = Comparator.comparing(RunFinder::begun);
    try (Stream<Path> entries = Files.list(runs)) {
      return entries
          .map(RunFolder::new)
          .filter(folder -> folder.exists() || Files.exists(folder.lock()))
          .sorted(byAge.thenComparing(RunFolder::run).reversed())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when a controller first locked the run. */
  public static Instant startedAt(RunFolder folder) {
    return begun(folder).toInstant();
  }

  /** The lock file is created when a run starts, and is never written to. */
  private static FileTime begun(RunFolder folder) {
    try {
      Path file = Files.exists(folder.lock()) ? folder.lock() : folder.journal();
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0); // The run is being removed.
    }
  }

  /**
   * Returns the run with the name or unique prefix {@code given}; the latest run if it is empty. If
   * a prefix matches a run and profiling runs for it, the run is returned.
   *
   * @throws CommandFailure if no run matches, or more than one
   */
  public RunFolder findOrNewest(String given) {
    if (given.isEmpty()) {
      return some().get(0);
    }
    List<RunFolder> tuning =
        all().stream()
            .filter(folder -> folder.run().startsWith(given))
            .filter(folder -> !isProfiling(folder))
            .toList();
    boolean exact = tuning.stream().anyMatch(folder -> folder.run().equals(given));
    return tuning.size() == 1 && !exact ? tuning.get(0) : find(given);
  }

  private static boolean isProfiling(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      return RunMeta.of(reader.meta()).kind() == RunMeta.Kind.PROFILE;
    } catch (JournalException e) {
      return false; // The caller reports a journal that cannot be read.
    }
  }

  private List<RunFolder> some() {
    List<RunFolder> all = all();
    if (all.isEmpty()) {
      throw failure(
          "no runs found in " + cliEnvironment.displayPath(cliEnvironment.home()),
          "start one: elastune run job.yaml");
    }
    return all;
  }

  /**
   * Returns the run with the name or unique prefix {@code given}.
   *
   * @throws CommandFailure if no run matches, or more than one
   */
  public RunFolder find(String given) {
    if (given.isEmpty()) {
      throw failure(
          "the run name is empty",
          "pass the name of a run"); // Possibly an unset variable in a script.
    }
    List<RunFolder> all = some();
    List<RunFolder> meant = all.stream().filter(folder -> folder.run().startsWith(given)).toList();
    return meant.stream()
        .filter(folder -> folder.run().equals(given))
        .findFirst()
        .orElseGet(() -> only(meant, given, all));
  }

  private RunFolder only(List<RunFolder> meant, String given, List<RunFolder> all) {
    if (meant.isEmpty()) {
      throw failure(
          "no run in "
              + cliEnvironment.displayPath(cliEnvironment.home())
              + " has the name or prefix '"
              + given
              + "'",
          "latest runs: " + names(all));
    }
    if (meant.size() > 1) {
      throw failure(
          "'" + given + "' is a prefix of " + meant.size() + " runs",
          "use a longer prefix: " + names(meant));
    }
    return meant.get(0);
  }

  private static String names(List<RunFolder> folders) {
    String names =
        folders.stream().limit(MOST_NAMED).map(RunFolder::run).collect(Collectors.joining(", "));
    return folders.size() > MOST_NAMED ? names + ", …" : names;
  }

  private static CommandFailure failure(String message, String hint) {
    return CommandFailure.invalid(FIELD, message, hint);
  }
}
