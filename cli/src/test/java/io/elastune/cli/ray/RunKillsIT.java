package io.elastune.cli.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends {@code kill -9} to the whole process of {@code elastune run} and {@code elastune resume} at
 * random times, until the run has ended, and repeats that with new runs. Takes about six seconds
 * per kill, and so runs only in the nightly tier and with {@code -Delastune.ray.kills=N}; {@code
 * -Delastune.ray.seed} selects other times.
 */
class RunKillsIT {
  private static final int KILLS = Tier.runs("elastune.ray.kills", 0, 20);
  private static final int MAX_PAUSE_MS = 9000;
  private static final int REPORTS = 4 * 10 + 2 * 10 + 20;

  @TempDir private Path folder;
  private ClusterRuns runs;
  private CloudCommand elastune;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(KILLS > 0, "kills controllers in the nightly tier");
    runs = ClusterRuns.on(ClusterRuns.startCluster(), folder);
    elastune = runs.elastune();
  }

  @AfterEach
  void close() throws Exception {
    if (runs != null) {
      runs.cluster().close();
    }
  }

  @Test
  void killedControllersLoseNothing() throws Exception {
    long seed = Long.getLong("elastune.ray.seed", 1);
    Random random = new Random(seed);
    Path job =
        runs.writeWitnessed(
            runs.job()
                .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 10, max: 40")
                .profile("[{gpus: 1, seconds: 6}]"),
            "1.5",
            ", max_failures: 0");
    int killed = 0;
    int begun = 0;
    int attempts = 0;
    while (killed < KILLS) {
      RunningCommand command = elastune.start("run", job.toString(), "--json", "-y");
      RunFolder run = started(command);
      begun++;
      while (killed < KILLS && !endsWithin(command, random.nextInt(MAX_PAUSE_MS))) {
        command.process().destroyForcibly().waitFor();
        killed++;
        command = elastune.start("resume", run.run(), "--json", "-y");
      }
      CommandResult end = command.awaitExit().assertExit(0);
      attempts += check(run, end, "kill " + killed + ", seed " + seed);
    }
    System.out.printf(
        "Seed %d: %d kills of whole controllers in %d runs, with %d attempts%n",
        seed, killed, begun, attempts);
  }

  private RunFolder started(RunningCommand command) throws Exception {
    String line = Files.readAllLines(command.awaitOutput("\"run\":").out()).get(0);
    return RunFolder.of(elastune.home(), JsonMapper.shared().readTree(line).path("run").asString());
  }

  private static boolean endsWithin(RunningCommand command, int millis) throws Exception {
    return command.process().waitFor(millis, TimeUnit.MILLISECONDS);
  }

  private int check(RunFolder run, CommandResult end, String as) throws Exception {
    assertThat(end.lastLine().path("instances_left").asInt(-1)).as(as).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt(-1)).as(as).isZero();
    runs.assertNoOverlap();
    runs.assertNothingIsLeft(run.run());
    try (RunReader journal = RunReader.open(run)) {
      ClusterRuns.assertReports(journal, REPORTS);
      return journal.attempts().size();
    }
  }
}
