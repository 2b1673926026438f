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
