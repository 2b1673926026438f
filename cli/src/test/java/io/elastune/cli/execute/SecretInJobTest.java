package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.TinyJob;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text of a job is stored with its run, so it must not have the value of a secret. */
class SecretInJobTest {
  private static final String SECRET = "s3cr3tTOKEN99";

  @TempDir Path folder;

  @Test
  void runRefusesNameOfHyperparameter() throws Exception {
    Path job =
        new TinyJob("tiny")
            .search(
                "{algorithm: random, trials: 2, ",
                "max: 1",
                "x: {type: uniform, low: 0, high: 1}, lr_" + SECRET + ": [1, 2]")
            .trial("0.1", "secrets: [MYSEC]")
            .write(folder.resolve("jobs"));
    LauncherProcess elastune = LauncherProcess.in(folder).with("MYSEC", SECRET);

    CommandResult run = elastune.inProcess("run", job.toString(), "-y").assertExit(2);

    assertThat(run.err()).contains("the value of MYSEC is also in line 3").doesNotContain(SECRET);
    assertThat(Files.exists(folder.resolve("home/runs"))).isFalse();
  }
}
