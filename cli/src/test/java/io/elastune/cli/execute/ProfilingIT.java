package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.profile.Profile;
import io.elastune.core.properties.Tier;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Profiles real processes that report in different ways. The measured time of a unit is about the
 * time for which the trial sleeps, and not much more than the fastest attempt takes per unit. An
 * interval between sparse reports that counts as one unit is far outside of this range.
 */
@Execution(ExecutionMode.CONCURRENT)
class ProfilingIT {
  private static final double TOLERANCE = 1.5;

  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
  }

  /** Milliseconds, and reports at the end. */
  @ParameterizedTest
  @CsvSource({"0.001, 1, 400", "0.5, 1000, 32"})
  @Tag(Tier.NIGHTLY)
  void dividesVeryShortTimesAndThoseOfOneReport(double unitS, int every, int most)
      throws Exception {
    dividesTimesByTheUnitsReported(unitS, every, most);
  }

  /** Steps with a report every 20, and epochs with one each. */
  @ParameterizedTest
  @CsvSource({"0.05, 20, 200", "1, 1, 8"})
  void dividesTimesByTheUnitsReported(double unitS, int every, int most) throws Exception {
    TinyJob job = job("START: \"0.3\", PAUSE: \"" + unitS + "\", EVERY: \"" + every + "\"", most);

    CommandResult profiled = profile(job).assertExit(0);

    double seconds = measured().secondsPerUnit(1).orElseThrow();
    assertThat(seconds).isBetween(unitS / TOLERANCE, TOLERANCE * fastestUnitS(run(profiled)));
    assertThat(measured().startupS().mean()).isPositive();
    if (Files.exists(Path.of("/proc/self/status"))) {
      assertThat(measured().memoryGb().orElseThrow()).isBetween(0.0001, 0.1); // a shell
    }
    assertThat(profiled.out())
        .contains("workers  time per epoch", "start-up of a trial", "local/solo/on-demand: queue")
        .containsPattern("checkpoint: less than 0.1 MB \\(n=[1-9]")
        .doesNotContain("unknown:");
  }

  /** One unit: its start-up cannot be separated from it, and the plan says so. */
  @Test
  @Tag(Tier.NIGHTLY)
  void unknownStartupIsPartOfTheUnit() throws Exception {
    TinyJob job = job("START: \"0.5\", PAUSE: \"0.5\", EVERY: \"1\"", 1);

    CommandResult profiled = profile(job).assertExit(0);

    assertThat(measured().startupKnown()).isFalse();
    assertThat(measured().secondsPerUnit(1).orElseThrow()).isGreaterThanOrEqualTo(1);
    assertThat(profiled.out()).contains("start-up unknown: included in the time per epoch");
    String file = job.write(folder.resolve("jobs")).toString();
    assertThat(elastune.inProcess("plan", file, "-v").assertExit(0).out())
        .contains("start-up of trials on cpu unknown: included in the time per epoch");
  }

  /** About half of the configurations crash. */
  @Test
  void configurationThatCrashesIsLeftOut() throws Exception {
    TinyJob job = job("START: \"0\", PAUSE: \"0.3\", EVERY: \"1\", MOST: \"0.5\"", 8);

    CommandResult profiled = profile(job).assertExit(0);

    try (RunReader journal = journal(run(profiled))) {
      assertThat(journal.trials())
          .extracting(TrialRow::status)
          .contains(TrialState.Status.FAILED, TrialState.Status.COMPLETED);
    }
    assertThat(profiled.out())
        .containsOnlyOnce("    Traceback:\n        in train: out of memory\n")
        .contains("Profile saved in ");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void configurationThatHangsIsLeftOut() throws Exception {
    TinyJob job =
        job("START: \"0\", PAUSE: \"0.3\", EVERY: \"1\", CALM: \"0.5\"", 4)
            .with("profile", "{max_time: 40s}");

    CommandResult profiled = profile(job).assertExit(0);

    assertThat(profiled.out()).contains("stopped as hung after unit 0", "Profile saved in ");
  }

  @Test
  void stopsAfterThreeEqualFailuresAndSavesNoProfile() throws Exception {
    TinyJob job = job("START: \"0\", PAUSE: \"0.3\", EVERY: \"1\", MOST: \"-1\"", 8);

    CommandResult profiled = profile(job).assertExit(16);

    assertThat(profiled.err())
        .containsPattern("profiling failed: [34] trials failed for the same cause, and none has")
        .contains("succeeded: out of memory. Narrow the hyperparameters that need memory")
        .containsOnlyOnce("        in train: out of memory\n");
    assertThat(profiled.out()).doesNotContain("Profile saved");
    assertThat(elastune.inProcess("runs", "list", "--json").json().path(0).path("kind").asString())
        .isEqualTo("profiling");
    assertThat(elastune.inProcess("profiles", "list", "--json").assertExit(0).json()).isEmpty();
    Leftovers.assertNone(elastune.home(), run(profiled));
  }

  /** Trials that diverge are like trials that fail: no search can compare them. */
  @Test
  void stopsAfterThreeDivergedTrialsAndSavesNoProfile() throws Exception {
    TinyJob job = job("START: \"0\", PAUSE: \"0.3\", EVERY: \"1\", VALUE: NaN", 2);

    CommandResult profiled = profile(job).assertExit(16);

    assertThat(profiled.err())
        .containsPattern("profiling failed: [34] trials failed for the same cause, and none has")
        .contains("succeeded: diverged: acc is no finite number. Lower the learning rates");
    assertThat(profiled.out()).doesNotContain("Profile saved");
    assertThat(elastune.inProcess("profiles", "list", "--json").assertExit(0).json()).isEmpty();
  }

  private static TinyJob job(String environment, int most) {
    return new TinyJob("profiled")
        .without("profile")
        .with("deadline", "10m")
        .search("{algorithm: random, trials: 2, ", "max: " + most)
        .with("trial", "{run: exec sh sparse.sh, envs: {" + environment + "}}");
  }

  private CommandResult profile(TinyJob job) throws Exception {
    String file = job.write(folder.resolve("jobs")).toString();
    return elastune.inProcess("profile", file, "-o", "measured.yaml");
  }

  private Profile measured() throws Exception {
    String text = Files.readString(folder.resolve("measured.yaml"));
    return ProfileFile.parse("measured.yaml", text).orThrow();
  }

  private static String run(CommandResult profiled) {
    return profiled.out().replaceAll("(?s).*Profiling as run (\\S+)\n.*", "$1");
  }

  private RunReader journal(String run) {
    return RunReader.open(RunFolder.of(elastune.home(), run));
  }

  /** Returns the least seconds per unit of a whole attempt. */
  private double fastestUnitS(String run) {
    try (RunReader journal = journal(run)) {
      return journal.attempts().stream()
          .mapToDouble(
              row ->
                  Seconds.between(row.started(), row.ended().orElseThrow())
                      / (row.to() - row.from()))
          .min()
          .orElseThrow();
    }
  }
}
