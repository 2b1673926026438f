package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherBuild;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests runs whose journal can no longer be written: they stop and leave nothing behind. */
@Execution(ExecutionMode.CONCURRENT)
class LostJournalIT {
  private static final int STOPPED = 143;
  private static final int JOURNAL_LOST = 18;

  @TempDir Path folder;

  private Path job() throws IOException {
    return new TinyJob("lost")
        .trial("0.5", "gpus: 1")
        .profile("[{gpus: 1, seconds: 375}]") // four instances at once
        .with("deadline", "50m") // also on a busy machine, and for the stop and the resume
        .write(folder.resolve("job"));
  }

  @Test
  void runFolderIsRemoved() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand run = elastune.start("run", job().toString(), "-y").awaitOutput("start group 1");
    RunFolder there = RunFolder.all(elastune.home()).get(0);
    remove(there.path());
    CommandResult commandResult = run.awaitExit().assertExit(JOURNAL_LOST);
    assertThat(commandResult.out() + commandResult.err())
        .containsAnyOf(
            "). All instances released (its results are lost with the journal; start a new run",
            "which was written again"); // before its folder was empty
    Leftovers.assertGoneWithin(there.run(), Duration.ofSeconds(20));
  }

  /** The open file still has everything, so the journal is written again. */
  @Test
  void journalIsDeleted() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand run = elastune.start("run", job().toString(), "-y").awaitOutput("start group 1");
    RunFolder there = RunFolder.all(elastune.home()).get(0);
    for (String file : List.of("journal.db", "journal.db-wal", "journal.db-shm")) {
      Files.deleteIfExists(there.path().resolve(file));
    }
    CommandResult stopped = run.awaitExit().assertExit(JOURNAL_LOST);
    JsonNode report = elastune.inProcess("report", there.run(), "--json").assertExit(0).json();

    assertThat(stopped.out() + stopped.err())
        .contains("stopped by the loss of its journal, which was written again");
    assertThat(report.path("exit").asInt()).isEqualTo(JOURNAL_LOST);
    assertThat(report.path("leases")).isNotEmpty();
    assertThat(elastune.inProcess("explain", there.run()).out()).contains("start group 1");
    Leftovers.assertNone(elastune.home(), there.run());
  }

  /**
   * The folder of the code is lost, too. The clock stands still, so that no tick detects the loss
   * before the end of the trial is reported.
   */
  @Test
  @Tag(Tier.NIGHTLY)
  void trialRemovesTheRunFolder() throws Exception {
    String job =
        new TinyJob("lost")
            .search("{algorithm: random, trials: 1, ", "max: 1")
            .script("remove.sh", "rm -rf \"${ELASTUNE_CHECKPOINT_DIR%/*/*}\"\nexit 1\n", "")
            .write(folder.resolve("job"))
            .toString();
    CommandResult run =
        LauncherProcess.in(folder)
            .inProcess(InstantSource.fixed(Instant.now()), "run", job, "-y")
            .assertExit(JOURNAL_LOST);
    assertThat(run.out() + run.err())
        .contains("stopped by the loss of its journal, which was written again");
  }

  /** The trials have no fault, so none is dropped. The run resumes with its copy of the code. */
  @Test
  @Tag(Tier.NIGHTLY)
  void workingFolderIsRemoved() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path code = Files.createDirectories(folder.resolve("job").resolve("code"));
    String trial =
        "{workdir: code, run: cd .. && exec sh trial.sh, envs: {PAUSE: \"0.5\"}, gpus: 1}";
    Path job =
        new TinyJob("lost")
            .with("trial", trial)
            .with("deadline", "30m") // also on a busy machine
            .write(folder.resolve("job"));
    RunningCommand run = elastune.start("run", job.toString(), "-y").awaitOutput("start group 1");
    String name = RunFolder.all(elastune.home()).get(0).run();
    Files.delete(code);
    CommandResult commandResult = run.awaitExit().assertExit(STOPPED);
    assertThat(commandResult.out() + commandResult.err())
        .contains("stopped by the loss of its working folder " + code)
        .contains("elastune resume " + name);

    CommandResult resumed = elastune.inProcess("resume", name, "--json").assertExit(0);

    assertThat(resumed.err())
        .contains("does not exist: the run continues with its own snapshot of the code");
    assertThat(resumed.lastLine().at("/trials/failed").asInt(-1)).isZero();
    Leftovers.assertNone(elastune.home(), name);
  }

  /** Deletes the folder repeatedly, since trials still write to it for a moment. */
  private static void remove(Path run) throws Exception {
    for (int i = 0; i < 100 && Files.exists(run); i++) {
      new ProcessBuilder("rm", "-rf", run.toString()).start().waitFor();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void diskIsFullAndFreed() throws Exception {
    List<String> own = List.of("unshare", "--user", "--map-root-user", "--mount");
    assumeTrue(
        ExternalPrograms.isInstalled("unshare") && mayMount(own),
        "mounting a file system is not permitted");
    Path home = Files.createDirectories(folder.resolve("home"));
    Path script = TinyJob.copy("full-disk.sh", folder);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>(own);
    command.addAll(
        List.of(
            "sh", script.toString(), home.toString(), LauncherBuild.launcher(), job().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder
        .environment()
        .putAll(
            Map.of("ELASTUNE_HOME", home.toString(), "JDK_JAVA_OPTIONS", LauncherProcess.FAST_JVM));
    int exit = new RunningCommand(builder.start(), out, err).awaitExit().exit();

    String said = Files.readString(out) + Files.readString(err);
    assertThat(exit).as(said).isZero();
    assertThat(said)
        .contains("full: exit " + STOPPED)
        .contains("stopped by a full disk"); // the journal has space of its own for that
    List<JsonNode> documents =
        Files.readAllLines(out).stream()
            .filter(line -> line.startsWith("{"))
            .map(line -> JsonMapper.shared().readTree(line))
            .toList();
    assertThat(documents.get(0).path("state").asString()).as(said).isEqualTo("stopped");
    assertThat(documents.get(0).path("instances").asInt(-1)).isZero();
    JsonNode end = documents.get(documents.size() - 1);
    assertThat(end.path("exit").asInt(-1)).as(said).isZero();
    assertThat(end.at("/trials/completed").asInt()).as(said).isEqualTo(2);
    assertThat(end.at("/trials/failed").asInt()).as(said).isZero();
    assertThat(end.path("instances_left").asInt(-1)).isZero();
  }

  private boolean mayMount(List<String> own) throws Exception {
    List<String> command = new ArrayList<>(own);
    command.addAll(List.of("mount", "-t", "tmpfs", "none", folder.toString()));
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
