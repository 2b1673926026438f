package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Tests stop requests: trials write checkpoints, instances are released, and the run reports it.
 */
@Execution(ExecutionMode.CONCURRENT)
class InterruptIT {
  private static final int SIGHUP = 1;
  private static final int SIGINT = 2;
  private static final int POLL_MS = 50;
  private static final int POLLS = 2400;

  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
  }

  @Test
  void controlC() throws Exception {
    assumeSignalIsHandled(SIGINT);
    RunningCommand run = started(longJob());
    CommandResult end = run.signal("INT").awaitExit().assertExit(130);
    checkStopped(end, "stopped by Ctrl-C");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void requestToTerminate() throws Exception {
    RunningCommand run = started(longJob());
    CommandResult end = run.signal("TERM").awaitExit().assertExit(143);
    checkStopped(end, "stopped by a request to terminate");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void closedTerminal() throws Exception {
    assumeSignalIsHandled(SIGHUP);
    RunningCommand run = started(longJob());
    CommandResult end = run.signal("HUP").awaitExit().assertExit(143);
    checkStopped(end, "stopped by a closed terminal");
  }

  @Test
  void stopFromAnotherProcess() throws Exception {
    RunningCommand run = started(longJob());
    String id = id();

    JsonNode running = elastune.inProcess("status", id, "--json").assertExit(0).json();
    CommandResult stop = elastune.inProcess("stop", id, "--json").assertExit(0);

    assertThat(running.path("state").asString()).isEqualTo("running");
    assertThat(running.path("instances").asInt()).isEqualTo(1);
    assertThat(stop.json().path("state").asString()).isEqualTo("stopped");
    checkStopped(run.awaitExit().assertExit(130), "stopped by elastune stop");
    assertThat(elastune.inProcess("stop", id).assertExit(0).out()).contains("had already ended");
  }

  /** Its trial ignores the first; after the second the run does not wait for checkpoints. */
  @Test
  @Tag(Tier.NIGHTLY)
  void controlCTwice() throws Exception {
    assumeSignalIsHandled(SIGINT);
    TinyJob job =
        new TinyJob("deaf")
            .search("{algorithm: random, trials: 1, ", "max: 1")
            .with("trial", "{run: \"trap '' TERM; echo deaf; while :; do sleep 0.1; done\"}");
    RunningCommand run = elastune.start("run", write(job), "-y", "--json").awaitOutput("\"ready\"");
    String id = id();
    awaitLog(id, "deaf");

    run.signal("INT").awaitOutput("stopped by Ctrl-C").signal("INT");

    CommandResult end = run.awaitExit().assertExit(130);
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    Leftovers.assertNone(elastune.home(), id);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), id))) {
      assertThat(journal.attempts()).hasSize(1);
      assertThat(journal.attempts().get(0).exitCode()).hasValue(128 + 9);
      assertThat(journal.trials().get(0).checkpoint()).isZero();
    }
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void controlCWhileProfiling() throws Exception {
    assumeSignalIsHandled(SIGINT);
    TinyJob job = longJob().without("profile");
    RunningCommand run = elastune.start("run", write(job), "-y", "--json").awaitOutput("\"ready\"");

    CommandResult end = run.signal("INT").awaitExit().assertExit(130);

    assertThat(end.lastLine().at("/error/exit").asInt()).isEqualTo(130);
    Leftovers.assertNone(elastune.home(), id());
    assertThat(status(id()).path("state").asString()).isEqualTo("stopped");
    assertThat(elastune.home().resolve("profiles")).doesNotExist();
  }

  /** Too late for the profiling run, which is complete; the run itself is not started. */
  @Test
  @Tag(Tier.NIGHTLY)
  void controlCAsProfilingEnds() throws Exception {
    assumeSignalIsHandled(SIGINT);
    TinyJob job = longJob().without("profile");
    RunningCommand run =
        elastune.start("run", write(job), "-y", "--json").awaitOutput("\"releasing\"");

    run.signal("INT").awaitExit().assertExit(130);

    Leftovers.assertNone(elastune.home(), id());
  }

  /** Ctrl-C has the same effect in virtual time. */
  @Test
  @Tag(Tier.NIGHTLY)
  void controlCWhileSimulated() throws Exception {
    assumeSignalIsHandled(SIGINT);
    String job = ExampleFiles.REPOSITORY.resolve("configs/rehearsal/halving.yaml").toString();
    RunningCommand run = elastune.start("run", job, "--infra", "simulated", "-y", "--json");

    CommandResult end = run.awaitOutput("\"ready\"").signal("INT").awaitExit().assertExit(130);

    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().path("simulated").asBoolean()).isTrue();
    assertThat(end.err()).contains("stopped by Ctrl-C");
  }

  private static TinyJob longJob() {
    return new TinyJob("long")
        .search("{algorithm: random, trials: 2, ", "max: 2000")
        .trial("0.2", "gpus: 1")
        .profile("[{gpus: 1, seconds: 0.01}]")
        .instanceTypes("duo")
        .with("deadline", "30m");
  }

  private String write(TinyJob job) throws Exception {
    return job.write(folder.resolve("jobs")).toString();
  }

  /** Starts the run and waits until both trials have reported. */
  private RunningCommand started(TinyJob job) throws Exception {
    RunningCommand run = elastune.start("run", write(job), "-y", "--json").awaitOutput("\"ready\"");
    for (int i = 0; i < POLLS && !haveReported(); i++) {
      Thread.sleep(POLL_MS);
    }
    assertThat(haveReported()).as("reports").isTrue();
    return run;
  }

  private boolean haveReported() {
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), id()))) {
      return journal.reports().stream()
              .filter(reportRow -> reportRow.unit() >= 2)
              .map(ReportRow::trial)
              .distinct()
              .count()
          == 2;
    }
  }

  private void checkStopped(CommandResult end, String reason) throws Exception {
    assertThat(end.lastLine().path("exit").asInt()).isEqualTo(end.exit());
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.err()).contains(reason);
    Leftovers.assertNone(elastune.home(), end.run());
    JsonNode status = status(end.run());
    assertThat(status.path("state").asString()).isEqualTo("stopped");
    assertThat(status.path("exit").asInt()).isEqualTo(end.exit());
    assertThat(status.path("instances").asInt(-1)).isZero();
    RunFolder run = RunFolder.of(elastune.home(), end.run());
    try (RunReader journal = RunReader.open(run)) {
      for (TrialRow trialRow : journal.trials()) {
        assertThat(trialRow.failures()).isZero();
        assertThat(trialRow.checkpoint()).isGreaterThanOrEqualTo(2);
        CheckpointStore store = new CheckpointStore(run.checkpoints(trialRow.trial()));
        assertThat(store.isComplete(trialRow.checkpoint())).isTrue();
      }
    }
  }

  private JsonNode status(String run) throws Exception {
    return elastune.inProcess("status", run, "--json").assertExit(0).json();
  }

  /** Returns the id of the only run. */
  private String id() {
    List<RunFolder> runs = RunFolder.all(elastune.home());
    assertThat(runs).hasSize(1);
    return runs.get(0).run();
  }

  private void awaitLog(String run, String text) throws Exception {
    Path log = RunFolder.of(elastune.home(), run).trialLog(1);
    for (int i = 0;
        i < POLLS && !(Files.exists(log) && Files.readString(log).contains(text));
        i++) {
      Thread.sleep(POLL_MS);
    }
    assertThat(log).content().contains(text);
  }

  /**
   * A build that was started in the background may ignore signals, and so do its child processes.
   */
  private static void assumeSignalIsHandled(int signal) throws Exception {
    Path self = Path.of("/proc/self/status");
    if (Files.exists(self)) {
      String ignored = Files.readString(self).replaceAll("(?s).*SigIgn:\\s*([0-9a-f]+)\n.*", "$1");
      long bit = 1L << (signal - 1);
      assumeTrue((Long.parseUnsignedLong(ignored, 16) & bit) == 0, signal + " is ignored here");
    }
  }
}
