package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Tests that home, folder of the job and working folder may change between a stop and a resume, and
 * that their names may have characters that have a meaning in URLs and shells.
 */
@Execution(ExecutionMode.CONCURRENT)
class MovedRunIT {
  private static final String ODD = " a?b#c%20d;$HOME'e\"f&ü";

  @TempDir Path folder;

  private static String stopped(RunningCommand running) throws Exception {
    running.signal("TERM");
    return running.awaitExit().assertExit(143).run();
  }

  @Test
  void runsContinueElsewhere() throws Exception {
    Path jobs = folder.resolve("jobs" + ODD);
    Path file =
        new TinyJob("moved")
            .with("deadline", "30m")
            .with("trial", "{run: exec sh trial.sh, envs: {PAUSE: \"0.3\"}, gpus: 1}")
            .write(jobs);
    LauncherProcess first = new LauncherProcess(folder, folder.resolve("home" + ODD), Map.of());
    String path = folder.relativize(file).toString();
    String run = stopped(first.start("run", path, "-y", "--json").awaitOutput("start group 2"));

    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    LauncherProcess from = new LauncherProcess(elsewhere, first.home(), Map.of());
    stopped(from.start("resume", run, "-y", "--json").awaitOutput("start group 3"));

    Files.writeString(file, Files.readString(file).replace("30m", "31m"));
    assertThat(from.inProcess("resume", run, "-y").assertExit(3).err())
        .contains(
            "the job file has changed since the run started: deadline: 31m instead of 30m",
            "--code snapshot")
        .doesNotContain("the code has changed");

    Path home = Files.move(first.home(), folder.resolve("other home" + ODD));
    Path moved = Files.move(jobs, folder.resolve("other jobs" + ODD));
    LauncherProcess after = new LauncherProcess(moved, home, Map.of());
    CommandResult end = after.inProcess("resume", run, "-y", "--code", "snapshot").assertExit(0);

    assertThat(end.out() + end.err()).contains("The run continues with its own job");
    assertThat(first.home()).doesNotExist();
    assertThat(jobs).doesNotExist();
    JsonNode report = after.inProcess("report", run, "--json").assertExit(0).json();
    assertThat(report.path("faults").toString()).doesNotContain("missing or torn");
    assertThat(Path.of(report.at("/best/checkpoint").asString())).startsWith(home).exists();
  }

  @Test
  void runsContinueWithoutTheFolderOfTheJob() throws Exception {
    Path jobs = folder.resolve("jobs");
    String file =
        new TinyJob("gone")
            .with("deadline", "30m")
            .with("trial", "{run: exec sh trial.sh, envs: {PAUSE: \"0.2\"}, gpus: 1}")
            .write(jobs)
            .toString();
    LauncherProcess elastune = LauncherProcess.in(folder);
    String run = stopped(elastune.start("run", file, "-y", "--json").awaitOutput("start group 2"));
    Files.move(jobs, folder.resolve("archive"));

    assertThat(elastune.inProcess("resume", run, "-y", "--code", "current").assertExit(2).err())
        .contains("trial.workdir: folder does not exist");
    CommandResult end = elastune.inProcess("resume", run, "-y").assertExit(0);
    assertThat(end.out() + end.err())
        .contains("jobs does not exist: the run continues with its own");
  }
}
