package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Tests that a run trains one version of the code, and that its trials do not share files. */
@Execution(ExecutionMode.CONCURRENT)
class CodeSnapshotIT {
  /** Each unit appends to a relative file; data and an activation script are not in the code. */
  private static final String RUN =
      "run: 'cat data/input.txt; . venv/activate; . ./version.sh; echo \\\"$VERSION\\\" >> used.txt;"
          + " exec sh trial.sh', envs: {PAUSE: \"%s\"}, ";

  @TempDir Path folder;

  private Path jobs;

  private String job(String name, String pause, String more) throws Exception {
    jobs = folder.resolve("jobs");
    String file =
        new TinyJob(name)
            .with("deadline", "30m")
            .with("trial", "{" + RUN.formatted(pause).replace("\\\"", "") + more + "gpus: 1}")
            .write(jobs)
            .toString();
    Files.createDirectories(jobs.resolve("data"));
    Files.createDirectories(jobs.resolve("venv"));
    Files.writeString(jobs.resolve("data/input.txt"), "shared input\n");
    Files.writeString(jobs.resolve("venv/activate"), "ACTIVE=1\n");
    Files.writeString(jobs.resolve("version.sh"), "VERSION=A\n");
    Files.writeString(jobs.resolve(".gitignore"), "data/\nvenv/\n");
    return file;
  }

  private List<Path> filesNamed(String run, String name) throws Exception {
    Path work = folder.resolve("home/runs").resolve(run).resolve("work");
    try (Stream<Path> paths = Files.walk(work)) {
      return paths.filter(path -> path.getFileName().toString().equals(name)).sorted().toList();
    }
  }

  @Test
  void editDuringRunDoesNotChangeIt() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand running =
        elastune
            .start("run", job("edited", "0.2", ""), "-y", "--json")
            .awaitOutput("start group 2");
    Files.writeString(jobs.resolve("version.sh"), "VERSION=B\n");
    Files.writeString(jobs.resolve("trial.sh"), "exit 1\n");
    CommandResult end = running.awaitExit().assertExit(0);

    List<Path> used = filesNamed(end.run(), "used.txt");
    assertThat(used).hasSize(8);
    List<String> versions = new ArrayList<>();
    for (Path file : used) {
      versions.addAll(Files.readAllLines(file));
    }
    assertThat(versions).hasSize(14).containsOnly("A"); // 8, 4 and 2 attempts
    assertThat(jobs.resolve("used.txt")).doesNotExist();
    assertThat(filesNamed(end.run(), "trial.sh")).isEmpty();

    JsonNode report = elastune.inProcess("report", end.run(), "--json").assertExit(0).json();
    assertThat(report.path("code").size()).isEqualTo(1);
    assertThat(report.path("code").path(0).path("sha256").asString()).hasSize(64);
    assertThat(elastune.inProcess("report", end.run()).out())
        .contains(" code         ", " files (", " working dir  ");
    elastune.inProcess("runs", "rm", end.run(), "-y").assertExit(0);
    assertThat(folder.resolve("home/runs").resolve(end.run())).doesNotExist();
    assertThat(jobs.resolve("data/input.txt")).hasContent("shared input");
  }

  @Test
  void resumeUsesTheCodeThatIsChosen() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand running =
        elastune.start("run", job("resumed", "0.3", ""), "-y", "--json").awaitOutput("\"started\"");
    running.awaitOutput("start group 2");
    String run = stopped(running);
    Files.writeString(jobs.resolve("version.sh"), "VERSION=B\n");
    assertThat(elastune.inProcess("resume", run, "-y").assertExit(3).err())
        .contains("the code has changed", "version.sh", "--code snapshot");
    running =
        elastune
            .start("resume", run, "-y", "--code", "snapshot", "--json")
            .awaitOutput("start group 3");
    assertThat(stopped(running)).isEqualTo(run);
    assertThat(versionsUsed(run)).containsOnly("A");

    elastune.inProcess("resume", run, "-y", "--code", "current").assertExit(0);

    assertThat(versionsUsed(run)).contains("A", "B");
    JsonNode report = elastune.inProcess("report", run, "--json").assertExit(0).json();
    assertThat(report.path("code").size()).isEqualTo(2);
    assertThat(report.path("code").path(0).path("trials").size()).isEqualTo(8);
    assertThat(report.path("code").path(1).path("trials").size()).isBetween(1, 2);
    assertThat(elastune.inProcess("report", run).out())
        .contains("version 1, trials 1, ", "version 2, ");
  }

  private static String stopped(RunningCommand running) throws Exception {
    running.signal("TERM");
    return running.awaitExit().assertExit(143).run();
  }

  private List<String> versionsUsed(String run) throws Exception {
    List<String> versions = new ArrayList<>();
    for (Path file : filesNamed(run, "used.txt")) {
      versions.addAll(Files.readAllLines(file));
    }
    return versions;
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void codeThatIsTooLargeIsRefusedBeforeTheRun() throws Exception {
    String file = job("large", "0.05", "max_code_size: 1M, ");
    Files.write(jobs.resolve("weights.bin"), new byte[2_000_000]);
    CommandResult refused = LauncherProcess.in(folder).inProcess("run", file, "-y");

    refused.assertExit(2);
    assertThat(refused.err())
        .contains("trial.max_code_size", "weights.bin (2.0 MB)", ".elastuneignore");
    assertThat(folder.resolve("home/runs")).doesNotExist();
    Files.writeString(jobs.resolve(".elastuneignore"), "*.bin\n");
    LauncherProcess.in(folder).inProcess("run", file, "-y").assertExit(0);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void planReportsThatProfiledCodeHasChanged() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    jobs = folder.resolve("jobs");
    String file =
        new TinyJob("profiled").without("profile").trial("0.1", "gpus: 1").write(jobs).toString();
    elastune.inProcess("profile", file, "-y").assertExit(0);
    assertThat(elastune.inProcess("plan", file).assertExit(0).out()).doesNotContain("has changed");
    Files.writeString(jobs.resolve("job.yaml"), "# a comment\n" + Files.readString(Path.of(file)));
    assertThat(elastune.inProcess("plan", file).assertExit(0).out()).doesNotContain("has changed");

    Files.writeString(jobs.resolve("lib.sh"), Files.readString(jobs.resolve("lib.sh")) + "\n#\n");

    assertThat(elastune.inProcess("plan", file).assertExit(0).out())
        .contains("the code has changed since it was profiled: lib.sh; ", "elastune profile");
  }
}
