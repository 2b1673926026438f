package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.executor.journal.RunFolder;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the unfinished runs of one job. Simulated runs do not count: they use no instances. */
public final class RunsOfJob {
  /**
   * The number of runs that are checked, the newest first. Instances of an older run that crashed
   * have shut themselves down since.
   */
  private static final int CHECKED = 20;

  private final RunFinder runFinder;
  private final StatusReader reader;
  private final Pattern name;

  public RunsOfJob(CliEnvironment cliEnvironment, String job) {
    this.runFinder = new RunFinder(cliEnvironment);
    this.reader = new StatusReader(cliEnvironment);
    this.name = Pattern.compile(Pattern.quote(job) + "-\\d{8}-[a-z0-9]{4}");
  }

  /**
   * Returns a run other than {@code except} that must end before another one starts: one in
   * progress, or one that crashed and may still have instances.
   */
  public Optional<RunStatus> blocking(Optional<RunFolder> except) {
    return recent(except).filter(this::blocks).findFirst();
  }

  /** Returns the latest run, if it crashed. */
  public Optional<RunStatus> latestIfCrashed() {
    return recent(Optional.empty())
        .findFirst()
        .filter(status -> status.standing() == RunStateLabel.CRASHED);
  }

  private Stream<RunStatus> recent(Optional<RunFolder> except) {
    List<RunFolder> runs = runFinder.all();
    return runs.stream()
        .filter(folder -> name.matcher(folder.run()).matches())
        .filter(folder -> !except.equals(Optional.of(folder)))
        .limit(CHECKED)
        .flatMap(folder -> status(folder).stream())
        .filter(status -> status.record().filter(RunRecord::simulated).isEmpty());
  }

  /** A journal that cannot be read blocks nothing. */
  private Optional<RunStatus> status(RunFolder folder) {
    try {
      return Optional.of(reader.readLocally(folder));
    } catch (CommandFailure e) {
      return Optional.empty();
    }
  }

  private boolean blocks(RunStatus status) {
    return status.standing() == RunStateLabel.CRASHED
        ? !reader.isCleanedUp(status)
        : !status.standing().isOver();
  }
}
