package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;
  private Path home = Path.of("");
  private InProcessCli inProcessCli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    inProcessCli = new InProcessCli(folder);
  }

  private ScriptedRun begin() {
    return new ScriptedRun(home, RUN, SmallTestJob.meta());
  }

  @Test
  void waitsUntilTheRunHasStopped() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(9);
      CompletableFuture<InProcessCli.Result> stopping =
          CompletableFuture.supplyAsync(() -> inProcessCli.run("stop", RUN));
      while (!Files.exists(run.folder().stopRequest())) {
        assertThat(stopping).isNotDone();
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(run.folder().stopRequest()).content().startsWith("elastune stop, 2026-11-23");
      run.stop().toTheEnd();
      InProcessCli.Result result = stopping.get(20, TimeUnit.SECONDS);
      assertThat(result.exit()).isZero();
      assertThat(result.out())
          .startsWith("Stop requested for small-20261123-aaaa; its trials write checkpoints.\n")
          .contains("running, group 1 of 2: trials 4 running")
          .endsWith(
              """
              small-20261123-aaaa has ended: stopped, exit 130: stopped by elastune stop
              see: elastune report small-20261123-aaaa
              """);
      assertThat(run.folder().stopRequest()).doesNotExist();
    }
  }

  @Test
  void noWaitOnlyRequestsTheStop() {
    try (ScriptedRun run = begin()) {
      run.until(9);
      InProcessCli.Result result = inProcessCli.run("stop", RUN, "--no-wait", "--json");
      assertThat(result.exit()).isZero();
      assertThat(result.json().path("state").asString()).isEqualTo("running");
      assertThat(run.folder().stopRequest()).exists();
    }
  }

  @Test
  void stopDoesNothingForEndedRun() {
    try (ScriptedRun run = begin()) {
      run.toTheEnd();
    }
    InProcessCli.Result result = inProcessCli.run("stop", RUN);
    assertThat(result.exit()).isZero();
    assertThat(result.out()).startsWith(RUN + " had already ended: finished, exit 0: done");
    assertThat(home.resolve("runs").resolve(RUN).resolve("stop.request")).doesNotExist();
  }

  @Test
  void crashedRunIsOverOnceCloudListsNothing() {
    try (ScriptedRun run = begin()) {
      run.until(20);
    }
    InProcessCli.Result result = inProcessCli.run("stop", RUN);
    assertThat(result.exit()).isZero();
    assertThat(result.out()).startsWith(RUN + "   crashed\n").contains(" No instance is left.\n");
    assertThat(home.resolve("runs").resolve(RUN).resolve("stop.request")).doesNotExist();
  }
}
