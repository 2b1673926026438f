package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests a worker that outlives its controller: on Linux its environment identifies its run. */
@EnabledOnOs(OS.LINUX)
class RemainingWorkersTest {
  private static final String RUN = "small-20261123-left";

  @TempDir Path folder;

  private void crash() {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      run.until(8);
    }
  }

  private static Process worker(String seconds) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", seconds);
    builder.environment().put("ELASTUNE_RUN", RUN);
    builder.environment().put("ELASTUNE_LEASE", RUN + "-2");
    return builder.start();
  }

  @Test
  void statusCountsRunningWorkers() throws Exception {
    crash();
    Process worker = worker("60");
    try {
      InProcessCli inProcessCli = new InProcessCli(folder);
      assertThat(inProcessCli.run("status", "--json").json().path("instances").asInt())
          .isEqualTo(1);
      assertThat(inProcessCli.run("status").out())
          .contains(
              " The remaining instances shut themselves down when their dead-man timers expire",
              " instances  1 left, as reported by the cloud now\n");
      assertThat(inProcessCli.run("stop", RUN, "--no-wait").exit()).isEqualTo(20);
      assertThat(inProcessCli.run("runs", "rm", RUN, "-y").exit()).isEqualTo(20);
      assertThat(inProcessCli.run("status").exit()).isZero();
    } finally {
      worker.destroyForcibly().waitFor();
    }
  }

  @Test
  void stopWaitsUntilWorkersHaveExited() throws Exception {
    crash();
    Process worker = worker("1");
    try {
      InProcessCli.Result result = new InProcessCli(folder).run("stop", RUN);
      assertThat(result.exit()).isZero();
      assertThat(result.out()).contains(" No instance is left.\n");
      assertThat(worker.isAlive()).isFalse();
    } finally {
      worker.destroyForcibly().waitFor();
    }
  }
}
