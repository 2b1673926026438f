package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Tests the exit codes of {@code run} that can be produced on this machine; Ctrl-C has its own
 * tests.
 */
@Execution(ExecutionMode.CONCURRENT)
class RunExitCodesIT {
  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
  }

  @Test
  void reportsFiveErrorsTogether() throws Exception {
    Path job = folder.resolve("job.yaml");
    Files.writeString(
        job,
        """
        name: mistakes
        deadline: tomorrow
        search:
          algorithm: sha
          metric: {name: acc, goal: maximise}
          trials: 4.5
          etta: 2
          resource: {unit: epoch, min: 1, max: 4}
          space: {x: {type: uniform, low: 0, high: 1}}
        trial: {run: "true", gpus: many}
        resources: {infra: [local]}
        """);

    CommandResult text = elastune.inProcess("run", "job.yaml", "-y").assertExit(2);
    CommandResult json = elastune.inProcess("run", "job.yaml", "-y", "--json").assertExit(2);

    assertThat(text.out()).isEmpty();
    assertThat(text.err().lines())
        .hasSize(5)
        .anyMatch(line -> line.startsWith("job.yaml:2: deadline: "))
        .anyMatch(line -> line.startsWith("job.yaml:5: search.metric.goal: "))
        .anyMatch(line -> line.startsWith("job.yaml:6: search.trials: "))
        .anyMatch(line -> line.startsWith("job.yaml:7: search.etta: "))
        .anyMatch(line -> line.startsWith("job.yaml:10: trial.gpus: "));
    assertThat(json.lastLine().at("/error/exit").asInt()).isEqualTo(2);
    assertThat(json.lastLine().at("/error/problems").size()).isEqualTo(5);
    assertNothingStarted();
  }

  @Test
  void reportsMissingSecret() throws Exception {
    TinyJob job = new TinyJob("secret").trial("0.1", "gpus: 1, secrets: [TINY_TOKEN]");
    CommandResult run = elastune.inProcess("run", write(job), "-y").assertExit(2);
    assertThat(run.err()).contains("trial.secrets", "TINY_TOKEN is not set");
    assertNothingStarted();
  }

  /** Trials have the secret in their environment, and no file contains it. */
  @Test
  void secretIsNeverWritten() throws Exception {
    TinyJob job =
        new TinyJob("secret")
            .search("{algorithm: random, trials: 1, ", "max: 1")
            .with(
                "trial",
                "{run: 'echo \"of ${#TINY_TOKEN} letters\"; exec sh trial.sh',"
                    + " envs: {PAUSE: \"0\"}, secrets: [TINY_TOKEN]}");
    LauncherProcess knowing = elastune.with("TINY_TOKEN", "hush-hush-1234");

    CommandResult run = knowing.inProcess("run", write(job), "-y", "--json").assertExit(0);

    assertThat(elastune.inProcess("logs", run.run()).out()).contains("of 14 letters");
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file).content(StandardCharsets.ISO_8859_1).doesNotContain("hush-hush");
      }
    }
  }

  @Test
  void reportsUnknownOption() throws Exception {
    CommandResult run =
        elastune.inProcess("run", write(new TinyJob("option")), "--budgett", "3").assertExit(2);
    assertThat(run.err()).contains("--budgett").contains("--budget");
    assertNothingStarted();
  }

  @Test
  void startsNothingWithoutConfirmation() throws Exception {
    CommandResult planned = elastune.inProcess("run", write(new TinyJob("asked"))).assertExit(3);
    assertThat(planned.out()).contains("Plan for asked");
    assertThat(planned.err()).contains("no terminal", "-y");
    assertNothingStarted();

    String unmeasured = write(new TinyJob("asked").without("profile"));
    assertThat(elastune.inProcess("run", unmeasured).assertExit(3).err())
        .contains("no terminal", "-y");
    assertNothingStarted();
  }

  @Test
  void noPlanMeetsTheDeadline() throws Exception {
    String job = write(new TinyJob("hasty").with("deadline", "10s"));
    CommandResult run = elastune.inProcess("run", job, "-y", "--json").assertExit(10);
    assertThat(run.lastLine().path("feasible").asBoolean(true)).isFalse();
    assertThat(run.lastLine().at("/violated/0").asString()).isEqualTo("deadline");
    assertNothingStarted();
  }

  /** The profile is too fast: 20 epochs take a second longer than the deadline allows. */
  @Test
  void deadlineIsMissed() throws Exception {
    TinyJob job =
        new TinyJob("late")
            .search("{algorithm: random, trials: 1, ", "max: 20")
            .trial("0.5", "gpus: 1")
            .profile("[{gpus: 1, seconds: 0.1}]")
            .with("deadline", "9s");

    CommandResult run = elastune.inProcess("run", write(job), "-y", "--json").assertExit(13);

    assertThat(run.lastLine().path("exit").asInt()).isEqualTo(13);
    assertThat(run.lastLine().at("/trials/completed").asInt()).isEqualTo(1);
    Leftovers.assertNone(elastune.home(), run.run());
    JsonNode status = elastune.inProcess("status", run.run(), "--json").assertExit(0).json();
    assertThat(status.path("state").asString()).isEqualTo("finished");
    assertThat(status.path("deadline_margin_s").asDouble()).isNegative();
  }

  /**
   * The price is one cent per second; 30 cents of the budget are reserved for 30 seconds of
   * checkpointing.
   */
  @Test
  void budgetIsReached() throws Exception {
    TinyJob job =
        new TinyJob("dear")
            .search("{algorithm: random, trials: 1, ", "max: 200")
            .trial("0.3", "gpus: 1")
            .profile("[{gpus: 1, seconds: 0.005}]")
            .price(36)
            .with("budget", "{usd: 0.33, on_reach: stop}");

    CommandResult run = elastune.inProcess("run", write(job), "-y", "--json").assertExit(11);

    assertThat(run.lastLine().path("exit").asInt()).isEqualTo(11);
    assertThat(run.lastLine().path("cost_usd").asDouble()).isBetween(0.02, 0.33);
    Leftovers.assertNone(elastune.home(), run.run());
    CommandResult explained = elastune.inProcess("explain", run.run()).assertExit(0);
    assertThat(explained.out()).contains("budget").contains("spent_usd", "committed_usd");
    assertThat(elastune.state(run.run())).isEqualTo("stopped");
    assertThat(folder.resolve("home/runs/" + run.run() + "/checkpoints/trial-1"))
        .isDirectoryContaining(path -> path.getFileName().toString().matches("\\d+"));
  }

  @Test
  void noTrialSucceeds() throws Exception {
    TinyJob job =
        new TinyJob("broken")
            .with("trial", "{run: 'echo no data; exit 7', gpus: 1, max_failures: 1}");

    CommandResult run = elastune.inProcess("run", write(job), "-y", "--json").assertExit(16);

    assertThat(run.lastLine().path("best").isNull()).isTrue();
    Leftovers.assertNone(elastune.home(), run.run());
    assertThat(elastune.inProcess("report", run.run()).assertExit(0).out())
        .contains(" trials failed for the same cause, and none has succeeded: exit 7: no data")
        .contains("failures by cause", ": exit 7: no data\n");
  }

  @Test
  void metricIsNeverReported() throws Exception {
    CommandResult run = elastune.inProcess("run", write(faulty("other", 4)), "-y", "--json");

    run.assertExit(16);
    assertThat(run.lastLine().path("best").isNull()).isTrue();
    Leftovers.assertNone(elastune.home(), run.run());
    assertThat(elastune.inProcess("report", run.run()).assertExit(0).out())
        .contains(
            "no trial of group 1 reported a value of acc: 4 trials reported loss instead;"
                + " report acc, or correct search.metric.name");
  }

  /** Half of the trials could continue, but about two thirds have no value. */
  @Test
  void trialsWithoutValueAreNotPromoted() throws Exception {
    CommandResult run =
        elastune.inProcess("run", write(faulty("well, nan, other", 12)), "-y", "--json");

    run.assertExit(0);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      assertThat(journal.trials())
          .filteredOn(trialRow -> trialRow.unit() > 1)
          .isNotEmpty()
          .extracting(trialRow -> trialRow.config().get("does"))
          .containsOnly("well");
    }
  }

  @Test
  void tooManyTrialsFail() throws Exception {
    String job = write(faulty("crash", 8, "max_failed_trials: 25%, "));
    CommandResult run = elastune.inProcess("run", job, "-y", "--json").assertExit(16);

    assertThat(run.lastLine().at("/trials/failed").asInt()).isEqualTo(3);
    Leftovers.assertNone(elastune.home(), run.run());
    assertThat(elastune.inProcess("status", run.run()).assertExit(0).out())
        .contains("3 trials failed, and search.max_failed_trials allows 2");
  }

  private static TinyJob faulty(String behaviors, int trials) {
    return faulty(behaviors, trials, "");
  }

  /** Each behavior is that of several trials with the same configuration. */
  private static TinyJob faulty(String behaviors, int trials, String more) {
    int repeat = trials / behaviors.split(",").length;
    return new TinyJob("faulty")
        .search(
            "{algorithm: sha, trials: " + trials + ", repeat: " + repeat + ", eta: 2, " + more,
            "min: 1, max: 2",
            "does: {type: choice, values: [" + behaviors + "]}")
        .with("trial", "{run: exec sh faulty.sh, envs: {PAUSE: \"0.1\"}, max_failures: 0}");
  }

  @Test
  void setupFails() throws Exception {
    TinyJob job =
        new TinyJob("unset")
            .trial("0.1", "setup: 'echo there is no compiler >&2; exit 4', gpus: 1");

    CommandResult run = elastune.inProcess("run", write(job), "-y", "--json").assertExit(16);

    assertThat(run.err()).contains("setup failed", "exit 4", "there is no compiler");
    Leftovers.assertNone(elastune.home(), run.run());
    assertThat(elastune.inProcess("logs", run.run(), "--setup").assertExit(0).out())
        .contains("there is no compiler");
  }

  @Test
  void interpreterIsMissing() throws Exception {
    TinyJob job = new TinyJob("no-python").trial("0.1", "python: /absent/bin/python, gpus: 1");

    CommandResult run = elastune.inProcess("run", write(job), "-y", "--json").assertExit(16);

    assertThat(run.err())
        .contains("setup failed", "trial.python: /absent/bin/python does not run on this instance");
    Leftovers.assertNone(elastune.home(), run.run());
  }

  private String write(TinyJob job) throws Exception {
    return job.write(folder.resolve("jobs")).toString();
  }

  private void assertNothingStarted() {
    assertThat(elastune.home().resolve("runs")).doesNotExist();
    assertThat(elastune.home().resolve("local")).doesNotExist();
  }
}
