package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.TinyJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that other users cannot read the files of a run, and that no file contains a secret. */
@Execution(ExecutionMode.CONCURRENT)
class PrivateRunIT {
  private static final String SECRET = "s3cret-of-the-user";

  @TempDir Path folder;

  @Test
  void onlyOwnerCanReadAndNoFileHasTheSecret() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home/runs")).getParent();
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    LauncherProcess elastune = LauncherProcess.in(folder).with("TOKEN", SECRET).with("PIN", "12");
    CommandResult run =
        elastune.inProcess("run", job("setup: 'echo setup $TOKEN', "), "-y", "--json");

    run.assertExit(0);
    assertThat(run.err()).contains("fewer than 4 characters are not masked in logs: PIN");
    assertThat(run.out() + run.err()).doesNotContain(SECRET);
    assertThat(elastune.inProcess("logs", run.run()).out())
        .contains("trial ***")
        .doesNotContain(SECRET);
    try (Stream<Path> paths = Files.walk(home)) {
      for (Path path : paths.filter(path -> !Files.isSymbolicLink(path)).toList()) {
        assertThat(Files.getPosixFilePermissions(path))
            .as(path.toString())
            .isSubsetOf(PosixFilePermissions.fromString("rwx------"));
        if (Files.isRegularFile(path)) {
          String bytes = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
          assertThat(bytes).as(path.toString()).doesNotContain(SECRET);
        }
      }
    }
    try (Stream<Path> logs = Files.list(home.resolve("runs").resolve(run.run()).resolve("logs"))) {
      List<Path> setups =
          logs.filter(log -> log.getFileName().toString().startsWith("setup-")).toList();
      assertThat(setups).isNotEmpty().allSatisfy(log -> assertThat(log).hasContent("setup ***"));
    }
  }

  /** What a trial writes to every place of the protocol. */
  private static final String LOUD =
      """
      echo "out $TOKEN"; echo "err $TOKEN" >&2
      echo "ELASTUNE {\\"unit\\": \\"bad $TOKEN\\"}"
      metrics="\\"acc\\": 0.5, \\"tok_$TOKEN\\": 1, \\"in\\": {\\"$TOKEN\\": 2}, \\"text_$TOKEN\\": \\"$TOKEN\\""
      echo "ELASTUNE {\\"unit\\": 1, \\"metrics\\": {$metrics}}"
      [ "$ELASTUNE_TRIAL" != 3 ] || echo "{\\"unit\\": \\"$TOKEN\\"}" >> "$ELASTUNE_REPORTS"
      checkpoint="$ELASTUNE_CHECKPOINT_DIR/1"
      mkdir -p "$checkpoint"
      file="{\\"name\\": \\"model-$TOKEN\\", \\"size\\": 1, \\"sha256\\": \\"$TOKEN\\"}"
      echo "{\\"unit\\": 1, \\"files\\": [$file]}" > "$checkpoint/manifest.json"
      [ "$ELASTUNE_TRIAL" != 2 ] || { echo "ValueError: $TOKEN" >&2; exit 3; }
      """;

  @Test
  void masksTheSecretInEveryFieldOfTheProtocol() throws Exception {
    Path job =
        new TinyJob("loud")
            .with("deadline", "30m")
            .fourTrials()
            .script("loud.sh", LOUD, ", secrets: [TOKEN]")
            .write(folder.resolve("jobs"));
    LauncherProcess elastune = LauncherProcess.in(folder).with("TOKEN", SECRET);
    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json");
    Path page = folder.resolve("page.html");
    StringBuilder shown = new StringBuilder(run.out() + run.err());
    for (String command : List.of("report", "status", "explain", "logs")) {
      shown.append(elastune.inProcess(command, run.run()).out());
      shown.append(elastune.inProcess(command, run.run(), "--json").out());
    }
    shown.append(elastune.inProcess("report", run.run(), "--csv", "-").out());
    shown.append(elastune.inProcess("report", run.run(), "--html", page.toString()).err());
    shown.append(Files.readString(page));

    assertThat(shown.toString())
        .contains("metric.tok_***", "metric.in/***", "text_*** is text", "model-***", "out ***")
        .contains("ValueError: ***")
        .doesNotContain(SECRET);
    Path files = folder.resolve("home/runs").resolve(run.run());
    try (Stream<Path> paths = Files.list(files)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        assertThat(bytes).as(path.toString()).doesNotContain(SECRET);
      }
    }
  }

  @Test
  void failingLineOfSetupEndsTheRun() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder).with("TOKEN", SECRET).with("PIN", "12");
    CommandResult run =
        elastune.inProcess(
            "run",
            job("setup: \"source ./missing-$TOKEN/activate\\necho next\", "),
            "-y",
            "--json");

    run.assertExit(16);
    assertThat(run.err()).contains("setup failed", "./missing-***/activate");
    assertThat(run.out() + run.err()).doesNotContain(SECRET);
  }

  private String job(String setup) throws Exception {
    String trial = "run: 'echo trial $TOKEN; exec sh trial.sh', envs: {PAUSE: \"0.05\"}, gpus: 1";
    return new TinyJob("private")
        .with("deadline", "30m")
        .with("trial", "{" + setup + trial + ", secrets: [TOKEN, PIN]}")
        .write(folder.resolve("jobs"))
        .toString();
  }
}
