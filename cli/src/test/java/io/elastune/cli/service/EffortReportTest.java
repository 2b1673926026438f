package io.elastune.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The phases of a command that {@code scripts/plan-benchmark} reads. */
class EffortReportTest {
  private static final String JOB =
      ExampleFiles.REPOSITORY.resolve("configs/examples/worked-example/job.yaml").toString();

  @TempDir private Path folder;

  @Test
  void planWritesItsPhases() throws IOException {
    InProcessCli cli =
        new InProcessCli(
            folder,
            Map.of(
                "ELASTUNE_HOME", folder.resolve("home").toString(), "ELASTUNE_EFFORT", "effort"));

    assertThat(cli.run("plan", JOB).exit()).isZero();

    List<String> lines = Files.readAllLines(folder.resolve("effort"));
    assertThat(lines)
        .extracting(line -> line.split("\t", -1)[0])
        .containsExactly("other", "plan", "other", "guard", "notes");
    assertThat(lines).allMatch(line -> line.matches("\\w+(\t\\d+\\.\\d{2}){2}(\t\\d+){2}"));
    assertThat(lines.get(1)).doesNotEndWith("\t0");
    assertThat(lines.get(3)).doesNotEndWith("\t0");
  }
}
