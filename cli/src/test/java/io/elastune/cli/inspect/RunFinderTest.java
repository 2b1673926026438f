package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFinderTest {
  private static final Instant SOME_DAY = Instant.parse("2026-11-20T06:00:00Z");

  @TempDir Path folder;

  private void run(String name, int hour) throws Exception {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), name, SmallTestJob.meta())) {
      Files.setLastModifiedTime(
          run.folder().lock(), FileTime.from(SOME_DAY.plusSeconds(3600L * hour)));
    }
  }

  private String shown(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).isZero();
    return result.json().path("run").asString();
  }

  private String refused(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).isEqualTo(2);
    return result.err();
  }

  @Test
  void noRunsNamesTheRunCommand() {
    assertThat(refused("status"))
        .isEqualTo("RUN: no runs found in home (start one: elastune run job.yaml)\n");
  }

  @Test
  void defaultsToTheNewestRun() throws Exception {
    run("b-20261120-bbbb", 1);
    run("c-20261120-cccc", 3);
    run("a-20261120-aaaa", 2);
    assertThat(shown("status", "--json")).isEqualTo("c-20261120-cccc");
  }

  @Test
  void acceptsUniquePrefix() throws Exception {
    run("job-20261120-aaaa", 1);
    run("job-20261120-abbb", 2);
    run("job", 3);
    assertThat(shown("status", "--json", "job-20261120-aa")).isEqualTo("job-20261120-aaaa");
    assertThat(shown("status", "--json", "job")).isEqualTo("job");
    assertThat(refused("status", "job-"))
        .isEqualTo(
            "RUN: 'job-' is a prefix of 2 runs"
                + " (use a longer prefix: job-20261120-abbb, job-20261120-aaaa)\n");
    assertThat(refused("report", "jobs"))
        .isEqualTo(
            "RUN: no run in home has the name or prefix 'jobs'"
                + " (latest runs: job, job-20261120-abbb, job-20261120-aaaa)\n");
  }

  @Test
  void stopRequiresARunName() throws Exception {
    run("job-20261120-aaaa", 1);
    assertThat(refused("stop")).startsWith("RUN: is missing");
    assertThat(refused("stop", ""))
        .isEqualTo("RUN: the run name is empty (pass the name of a run)\n");
  }
}
