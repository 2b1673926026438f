package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs trials that report only at their end, as the trial protocol allows, and trials that hang.
 */
@Execution(ExecutionMode.CONCURRENT)
class HungTrialsIT {
  @TempDir Path folder;

  /** One report after 24 units of 1 s each; a limit of 20 s would stop both trials. */
  @Test
  @Tag(Tier.NIGHTLY)
  void trialWithOneReportAtItsEndIsNotStopped() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path job = job("sleeps, computes", 24, "");

    CommandResult run = elastune.inProcess("run", job.toString(), "-y").assertExit(0);

    assertThat(run.err() + run.out())
        .contains(
            "hung trials: stopped and retried after 1m12s without a sign of life, or after 5m");
    assertThat(failures(elastune))
        .containsExactlyEntriesOf(new TreeMap<>(Map.of("computes", 0, "sleeps", 0)));
  }

  /** Output and CPU activity are signs of life; a trial without them is stopped and retried. */
  @Test
  void onlyATrialWithoutSignsOfLifeIsStopped() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path job = job("computes, hangs, prints", 14, ", silence: 6s");

    CommandResult run = elastune.inProcess("run", job.toString(), "-y").assertExit(0);

    assertThat(run.err() + run.out())
        .contains("hung trials: stopped and retried after 6s without a sign of life")
        .contains("has shown no sign of life (report, output or CPU activity) for ")
        .contains("the limit is 6s; see trial.silence");
    assertThat(failures(elastune))
        .containsExactlyEntriesOf(new TreeMap<>(Map.of("computes", 0, "hangs", 1, "prints", 0)));
  }

  private Path job(String does, int seconds, String more) throws Exception {
    Path jobs = folder.resolve("jobs");
    Path job =
        new TinyJob("endonly")
            .search(
                "{algorithm: grid, ",
                "max: " + seconds,
                "does: {type: choice, values: [" + does + "]}")
            .with(
                "trial",
                "{run: exec sh endonly.sh, envs: {PAUSE: \""
                    + seconds
                    + "\"}, max_failures: 1"
                    + more
                    + "}")
            .instanceTypes("hall")
            .profile("[{gpus: 1, seconds: 1}]")
            .with("deadline", "10m")
            .write(jobs);
    TinyJob.copy("endonly.sh", jobs);
    return job;
  }

  /** Returns the number of failed attempts of each trial of the last run. */
  private static Map<String, Integer> failures(LauncherProcess elastune) throws Exception {
    String run = elastune.inProcess("report", "--json").assertExit(0).json().path("run").asString();
    Map<String, Integer> failures = new TreeMap<>();
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run))) {
      for (TrialRow trial : journal.trials()) {
        failures.put(String.valueOf(trial.config().get("does")), trial.failures());
      }
    }
    return failures;
  }
}
