package io.elastune.plan;

import io.elastune.core.config.Overrides;
import io.elastune.inputs.FrontierChoice;
import io.elastune.inputs.KnownTimes;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a program has set before it plans.
 *
 * @param job the job file
 * @param overrides the options that override the job
 * @param known the times that take the place of a profile; may be empty
 * @param startupS seconds of a trial's start-up; empty if the known times include it
 * @param trialCv coefficient of variation of the duration of trials with known times
 * @param planner the word of a planner; empty for the better result of greedy and exact
 * @param timeLimit the maximum time of a search
 * @param choice another plan of the frontier than the preferred one
 * @param folder the folder that paths are relative to
 * @param home the folder of runs and profiles; empty for that of the user's commands
 * @param clouds the settings of the cloud accounts; empty for those of the user's commands
 * @param clock the clock, from whose time deadlines count
 */
@RecordBuilder
public record PlanSettings(
    Path job,
    Overrides overrides,
    List<KnownTimes> known,
    OptionalDouble startupS,
    double trialCv,
    Optional<String> planner,
    Optional<Duration> timeLimit,
    Optional<FrontierChoice> choice,
    Path folder,
    Optional<Path> home,
    Optional<Path> clouds,
    InstantSource clock) {
  public PlanSettings {
    known = List.copyOf(known);
  }

  /** Returns the settings of a job file, in the current folder. */
  public static PlanSettings of(Path job, InstantSource clock) {
    return new PlanSettings(
        job,
        Overrides.NONE,
        List.of(),
        OptionalDouble.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Path.of("").toAbsolutePath(),
        Optional.empty(),
        Optional.empty(),
        clock);
  }

  /** Returns an environment with these settings. */
  public LibraryEnvironment environment() {
    return new LibraryEnvironment(folder, home, clouds, clock);
  }

  /** Returns a file as an absolute path, as options need it. */
  public String absolute(Path file) {
    return folder.resolve(file).normalize().toString();
  }

  /** Returns the known times with what they have in common. */
  public List<KnownTimes> knownTimes() {
    return known.stream().map(one -> one.with(startupS, trialCv)).toList();
  }
}
