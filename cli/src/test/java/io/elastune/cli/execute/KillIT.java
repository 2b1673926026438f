package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import io.elastune.executor.runtime.ControllerLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Sends {@code kill -9} to the controller at moments spread over a run: no process is left, and the
 * reported state is true.
 */
@Execution(ExecutionMode.CONCURRENT)
class KillIT {
  private static final int KILLS = Tier.runs(2, 10);

  /** Runs of one home share the cores, so the next run starts after the end of the last one. */
  private static final int AT_ONCE = 1;

  /** The last unit of a {@link TinyJob}. */
  private static final int LAST_UNIT = 4;

  private static final String BEGINNING = "start group 1";

  /** Instances on this machine shut down immediately; this is the time limit. */
  private static final Duration DEAD_MAN = Duration.ofSeconds(20);

  private final long seed = Long.getLong("elastune.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void atMomentsOfARun() throws Exception {
    System.out.println("KillIT: -Delastune.seed=" + seed);
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand whole =
        elastune.start("run", write("whole").toString(), "-y").awaitOutput(BEGINNING);
    long begin = System.nanoTime();
    whole.awaitExit().assertExit(0);
    long usualMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);

    Random random = new Random(seed);
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<String>> states = new ArrayList<>();
      for (int i = 0; i < KILLS; i++) {
        String name = "killed-" + i;
        double moment = (i + random.nextDouble()) / KILLS;
        String from = i == 0 ? " started. " : BEGINNING;
        states.add(pool.submit(() -> kill(elastune, name, from, Math.round(moment * usualMs))));
      }
      List<String> seen = new ArrayList<>();
      for (Future<String> state : states) {
        seen.add(state.get());
      }
      System.out.println("KillIT: of " + usualMs + " ms: " + seen);
    } finally {
      pool.shutdownNow();
    }

    CommandResult next =
        elastune.run("run", write("next").toString(), "-y", "--json").assertExit(0);
    assertThat(next.lastLine().path("instances_left").asInt(-1)).isZero();
  }

  private Path write(String name) throws Exception {
    return new TinyJob(name).trial("0.3", "gpus: 1").write(folder.resolve(name));
  }

  /** Starts a run, kills it a while after it has printed {@code from}, and returns its state. */
  private String kill(LauncherProcess elastune, String name, String from, long afterMs)
      throws Exception {
    String as = name + " " + afterMs + " ms after '" + from + "', seed " + seed;
    RunningCommand run = elastune.start("run", write(name).toString(), "-y").awaitOutput(from);
    run.process().waitFor(afterMs, TimeUnit.MILLISECONDS);
    run.process().destroyForcibly(); // It may have ended by now.
    run.process().waitFor();

    List<RunFolder> runs = runs(elastune, name);
    if (runs.isEmpty()) {
      return "not started";
    }
    RunFolder folder = runs.get(0);
    Leftovers.assertGoneWithin(folder.run(), DEAD_MAN);
    JsonNode status = elastune.inProcess("status", folder.run(), "--json").assertExit(0).json();
    String state = status.path("state").asString();
    assertThat(status.path("instances").asInt(-1)).as(as).isZero();
    assertThat(state).as(as).isIn("crashed", "finished");
    assertThat(ControllerLock.isHeld(folder)).as(as).isFalse();
    if (!folder.exists()) {
      return state;
    }
    assertThat(integrity(folder)).as(as).isEqualTo("ok");
    return RunReader.isBlank(folder) ? state : state + checkTruth(folder, status, as);
  }

  private static List<RunFolder> runs(LauncherProcess elastune, String name) throws Exception {
    Path runs = elastune.home().resolve("runs");
    try (Stream<Path> folders = Files.list(runs)) {
      return folders
          .map(RunFolder::new)
          .filter(run -> run.run().startsWith(name + "-"))
          .filter(run -> Files.exists(run.lock()))
          .toList();
    }
  }

  private static String integrity(RunFolder run) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + run.journal());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
      return rows.next() ? rows.getString(1) : "no result";
    }
  }

  /**
   * Checks that the status agrees with the journal and that every recorded checkpoint is complete.
   */
  private static String checkTruth(RunFolder folder, JsonNode status, String as) {
    try (RunReader journal = RunReader.open(folder)) {
      assertThat(status.path("exit").isNull())
          .as(as)
          .isEqualTo(journal.progress().exitCode().isEmpty());
      assertThat(status.path("spent_usd").asDouble())
          .as(as)
          .isEqualTo(journal.progress().spentUsd());
      long completed =
          journal.trials().stream()
              .map(trialRow -> trialRow.completedAt(LAST_UNIT)) // also before its group has ended
              .filter(trialRow -> trialRow.status() == TrialState.Status.COMPLETED)
              .count();
      assertThat(status.at("/trials/completed").asLong()).as(as).isEqualTo(completed);
      for (TrialRow trialRow : journal.trials()) {
        CheckpointStore store = new CheckpointStore(folder.checkpoints(trialRow.trial()));
        assertThat(trialRow.checkpoint() == 0 || store.isComplete(trialRow.checkpoint()))
            .as(as)
            .isTrue();
      }
      return " in group " + status.path("group").asString() + " with " + completed + " completed";
    }
  }
}
