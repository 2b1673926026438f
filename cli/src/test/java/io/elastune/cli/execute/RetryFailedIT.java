package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Runs a program with a bug, corrects it, and retries the failed trials. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // long, and unaffected by a busy machine
class RetryFailedIT {
  private static final String CORRECT =
      """
      . ./lib.sh
      unit=$from
      while [ "$unit" -lt "$to" ]; do
        unit=$((unit + 1))
        save "$unit"
        report "$unit" "0.$(field trial)"
      done
      """;

  @TempDir Path folder;
  private LauncherProcess elastune;
  private Path program;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
    program = folder.resolve("jobs/buggy.sh");
  }

  private String job(String bug) throws Exception {
    return new TinyJob("buggy")
        .fourTrials()
        .script("buggy.sh", bug(bug), "")
        .with("deadline", "30m")
        .write(folder.resolve("jobs"))
        .toString();
  }

  private static String bug(String line) {
    return CORRECT.replace("unit=$from\n", "unit=$from\n" + line + "\n");
  }

  private String failed(String bug, int exit) throws Exception {
    return elastune.inProcess("run", job(bug), "-y", "--json").assertExit(exit).run();
  }

  private JsonNode report(String run) throws Exception {
    return elastune.inProcess("report", run, "--json").assertExit(0).json();
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void groupInWhichEveryTrialFailed() throws Exception {
    String run = failed("[ \"$from\" -eq 0 ] || exit 3", 16);
    assertThat(elastune.inProcess("report", run).assertExit(0).out())
        .contains("elastune resume " + run + " --retry-failed --code current");
    assertThat(elastune.inProcess("resume", run, "--code", "snapshot").assertExit(16).out())
        .contains("Nothing to resume", "--retry-failed --code current");
    Files.writeString(program, CORRECT);

    CommandResult undecided =
        elastune.inProcess("resume", run, "--retry-failed", "-y").assertExit(3);
    assertThat(undecided.err())
        .contains("the code has changed", "buggy.sh", "--code snapshot")
        .contains("elastune resume " + run + " --retry-failed --code current");
    CommandResult retried =
        elastune.inProcess("resume", run, "--retry-failed", "--code", "current").assertExit(0);

    assertThat(retried.out())
        .contains("retry: trials 3 and 4 failed before and will be trained again");
    JsonNode end = report(run);
    assertThat(end.at("/trials/failed").asInt()).isZero();
    assertThat(end.at("/trials/completed").asInt()).isEqualTo(2);
    assertThat(end.at("/best/trial").asInt()).isEqualTo(4);
    assertThat(end.path("code").size()).isEqualTo(2);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run))) {
      assertThat(journal.attempts())
          .filteredOn(attempt -> attempt.group().equals("2"))
          .hasSize(4)
          .allMatch(attempt -> attempt.from() == 2);
    }
    assertThat(elastune.inProcess("resume", run, "--retry-failed").assertExit(0).out())
        .contains("No failed trial of " + run + " can be retried", "Nothing to resume");
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  void someTrialsOfTheLastGroupFailed() throws Exception {
    String run =
        failed(
            "if [ $(field trial) -eq 1 ] || { [ $from -eq 2 ] && [ $(field trial) -eq 4 ]; }; then exit 3; fi",
            0);
    JsonNode before = report(run);
    assertThat(before.at("/trials/failed").asInt()).isEqualTo(2);
    assertThat(before.at("/best/trial").asInt()).isEqualTo(3);
    String command = "elastune resume " + run + " --retry-failed --code current";
    assertThat(elastune.inProcess("report", run).assertExit(0).out()).contains(command);
    Files.writeString(program, CORRECT);

    CommandResult retried =
        elastune.inProcess("resume", run, "--retry-failed", "--code", "current").assertExit(0);

    assertThat(retried.out())
        .contains(
            "retry: trial 4 failed before and will be trained again",
            "retry: trial 1 stays failed: the trials of the present group were chosen without it");
    JsonNode end = report(run);
    assertThat(end.at("/trials/failed").asInt()).isEqualTo(1);
    assertThat(end.at("/trials/completed").asInt()).isEqualTo(2);
    assertThat(end.at("/best/trial").asInt()).isEqualTo(4);
    assertThat(elastune.inProcess("report", run).assertExit(0).out())
        .doesNotContain("--retry-failed");
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void retryInTheBackgroundSurvivesAKill() throws Exception {
    String run = failed("exit 3", 16);
    Files.writeString(program, bug("sleep 2"));

    RunningCommand killed =
        elastune
            .start("resume", run, "--retry-failed", "--code", "current", "--json")
            .awaitOutput("\"ready\"");
    killed.process().destroyForcibly().waitFor();

    ReplayedRun replayed = ReplayedRun.read(RunFolder.of(elastune.home(), run));
    assertThat(replayed.state().failedTrials()).isZero();
    Files.writeString(program, CORRECT);
    elastune.run("resume", run, "--retry-failed", "--code", "current", "--detach").assertExit(0);
    elastune.inProcess("attach", run).assertExit(0);

    JsonNode end = report(run);
    assertThat(end.at("/trials/failed").asInt()).isZero();
    assertThat(end.at("/best/trial").asInt()).isEqualTo(4);
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  void promptsForTheCode() throws Exception {
    String run = failed("exit 3", 16);
    Files.writeString(program, CORRECT);

    answer("", 3, "resume", run, "--retry-failed", "-y");
    answer("snapshot", 16, "resume", run, "--retry-failed");
    answer("current", 0, "resume", run, "--retry-failed");

    Leftovers.assertNone(elastune.home(), run);
  }

  private void answer(String line, int exit, String... arguments) {
    InProcessCli.Result result =
        elastune.inProcess(InstantSource.system()).answering(line).run(arguments);
    assertThat(result.out()).contains("code that the run has used so far: ");
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
  }
}
