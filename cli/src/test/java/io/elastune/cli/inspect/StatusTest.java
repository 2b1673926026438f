package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.job.Budget;
import io.elastune.executor.journal.JournalLoss;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.runtime.ControllerLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class StatusTest {
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
  void namesTheWarnings() throws IOException {
    try (ScriptedRun run = begin()) {
      run.until(8);
      assertThat(inProcessCli.run("status", "--json").json().has("warnings_log")).isFalse();

      Path log = RunFolder.of(home, RUN).warningsLog();
      Files.writeString(log, "2026-11-23T06:00:00Z WARN ListPoller: Listing failed");
      assertThat(inProcessCli.run("status").out()).contains(" warnings   " + log);
      assertThat(inProcessCli.run("report", RUN).out()).contains(" warnings     " + log);
      assertThat(inProcessCli.run("status", "--json").json().path("warnings_log").asString())
          .isEqualTo(log.toString());
      assertThat(inProcessCli.run("report", RUN, "--json").json().path("warnings_log").asString())
          .isEqualTo(log.toString());
    }
  }

  @Test
  void showsRunInProgress() {
    try (ScriptedRun run = begin()) {
      run.until(8);
      InProcessCli.Result result = inProcessCli.run("status");
      assertThat(result.exit()).isZero();
      assertThat(result.out())
          .isEqualTo(
              """
              small-20261123-aaaa   running, group 1 of 2
               trials     4 running, 0 waiting, 0 completed, 0 stopped, 0 failed
               instances  2
               cost       $0.17 so far, forecast $0.57, budget $2.00 (notional: nothing is charged)
               deadline   1m, 20s left by forecast
              """);
    }
  }

  /** Changes the journal as if a trial waited after a unit. */
  private void letWait(int unit, int trial) throws SQLException {
    String file = "jdbc:sqlite:" + RunFolder.of(home, RUN).journal();
    try (Connection connection = DriverManager.getConnection(file);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE trial SET status = 'WAITING', unit = %d WHERE trial = %d".formatted(unit, trial));
    }
  }

  /** Its group has not ended, so the run itself still counts it as waiting. */
  @Test
  void countsATrialThatIsFullyTrainedAsCompleted() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(8);
      letWait(3, 1);

      assertThat(inProcessCli.run("status").out())
          .contains("3 running, 0 waiting, 1 completed, 0 stopped, 0 failed");
    }
  }

  @Test
  void saysForWhatTrialsWait() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(8);
      letWait(1, 1);
      letWait(0, 2);
      letWait(0, 3);

      assertThat(inProcessCli.run("status").out())
          .contains(
              """
               trials     1 running, 3 waiting, 0 completed, 0 stopped, 0 failed
                          waiting: 1 trial for the others of the group, 2 trials for a free slot
              """);
    }
    assertThat(inProcessCli.run("status").out())
        .contains("waiting: they continue if the run is resumed");
  }

  /** Before the end of the first group by the last reports, afterwards by the results. */
  @Test
  void showsTheBestTrialAndTheLatestMetrics() {
    try (ScriptedRun run = begin()) {
      run.until(20);
      assertThat(inProcessCli.run("status").out())
          .contains(
              " best       trial 4: acc 0.41 after epoch 1 with lr=0.004, batch=128\n",
              " latest     trial 4, running: acc 0.41 at epoch 1\n",
              "            trial 2, running: acc 0.21 at epoch 1\n");
      JsonNode status = inProcessCli.run("status", "--json").json();
      assertThat(status.path("best"))
          .hasToString(
              "{\"trial\":4,\"metric\":0.41000000000000003,"
                  + "\"config\":{\"lr\":0.004,\"batch\":128},\"units\":1}");
      assertThat(status.path("trial_results")).hasSize(4);
      assertThat(status.path("trial_results").path(2))
          .hasToString(
              "{\"trial\":3,\"status\":\"failed\",\"units\":0,\"metric\":null,"
                  + "\"config\":{\"lr\":0.003,\"batch\":96}}");
    }
  }

  @Test
  void jsonHasAllKeys() {
    try (ScriptedRun run = begin()) {
      run.until(8);
      JsonNode status = inProcessCli.run("status", RUN, "--json").json();
      assertThat(status.propertyNames())
          .containsExactly(
              "run",
              "state",
              "group",
              "trials",
              "best",
              "trial_results",
              "instances",
              "spent_usd",
              "forecast_usd",
              "deadline_margin_s",
              "at_risk",
              "exit");
      assertThat(status.path("run").asString()).isEqualTo(RUN);
      assertThat(status.path("state").asString()).isEqualTo("running");
      assertThat(status.path("group").asString()).isEqualTo("1");
      assertThat(status.path("trials"))
          .hasToString(
              "{\"running\":4,\"waiting\":0,\"completed\":0,\"stopped\":0,\"failed\":0,"
                  + "\"ended_early\":0}");
      assertThat(status.path("instances").asInt()).isEqualTo(2);
      assertThat(status.path("spent_usd").asDouble()).isEqualTo(0.17, within(1e-9));
      assertThat(status.path("forecast_usd").asDouble()).isEqualTo(0.57, within(1e-9));
      assertThat(status.path("deadline_margin_s").asDouble()).isEqualTo(20);
      assertThat(status.path("exit").isNull()).isTrue();
    }
  }

  /** Half of the load while profiling is another one: the run, its status and its end say so. */
  @Test
  void otherProgramsAreStatedWhileTheyUseMoreOrLessThanWhileProfiling() {
    RunFolder folder = RunFolder.of(home, RUN);
    try (ScriptedRun run = begin()) {
      run.until(8);
      RunLoad.of(2, 1.5, 1.2, OptionalDouble.of(0.1), 2).write(folder);

      assertThat(inProcessCli.run("status").out())
          .contains(
              " load       other programs use 1.5 of the 2 cores of this machine, 0.1 while the"
                  + " program was profiled: trials that keep their cores busy are about 3.8x slower than predicted, and the"
                  + " forecast changes as they report");
      assertThat(inProcessCli.run("status", "--json").json().path("other_programs"))
          .hasToString(
              "{\"cores\":2,\"used\":1.5,\"mean\":1.2,\"while_profiled\":0.1,"
                  + "\"trials_slower\":3.8}");
      RunLoad.of(2, 0.2, 0.2, OptionalDouble.of(0.1), 2).write(folder);
      assertThat(inProcessCli.run("status").out()).doesNotContain(" load ");
      RunLoad.of(2, 0.2, 1.2, OptionalDouble.of(0.1), 0).write(folder);
      run.toTheEnd();
    }
    String sentence =
        "other programs used 1.2 of the 2 cores of this machine during the run, 0.1 while the"
            + " program was profiled: the prediction was for another load";
    assertThat(inProcessCli.run("status").out()).contains(" load       " + sentence);
    assertThat(inProcessCli.run("report").out()).contains(" " + sentence);
    assertThat(inProcessCli.run("report", "--json").json().path("other_programs").path("mean"))
        .hasToString("1.2");
  }

  @Test
  void stateFollowsRun() {
    try (ScriptedRun run = begin()) {
      assertThat(state()).isEqualTo("planning");
      run.until(9);
      assertThat(state()).isEqualTo("running");
      run.stop().until(9);
      assertThat(state()).isEqualTo("stopping");
      run.toTheEnd();
      assertThat(state()).isEqualTo("stopped");
    }
    JsonNode status = inProcessCli.run("status", "--json").json();
    assertThat(status.path("state").asString()).isEqualTo("stopped");
    assertThat(status.path("exit").asInt()).isEqualTo(130);
    assertThat(status.path("group").isNull()).isTrue();
    assertThat(status.path("instances").asInt(-1)).isZero();
    assertThat(status.path("deadline_margin_s").isNull()).isTrue();
  }

  private String state() {
    return inProcessCli.run("status", "--json").json().path("state").asString();
  }

  @Test
  void finishedRunHasExitCodeAndMargin() {
    try (ScriptedRun run = begin()) {
      run.toTheEnd();
    }
    JsonNode status = inProcessCli.run("status", "--json").json();
    assertThat(status.path("state").asString()).isEqualTo("finished");
    assertThat(status.path("exit").asInt(-1)).isZero();
    assertThat(status.path("deadline_margin_s").asDouble()).isEqualTo(25);
    assertThat(status.path("spent_usd").asDouble()).isEqualTo(0.53, within(1e-9));
    assertThat(status.path("forecast_usd")).isEqualTo(status.path("spent_usd"));
    assertThat(inProcessCli.run("status").out())
        .contains(
            RUN + "   finished, exit 0: done;",
            "deadline   1m, 25s left\n",
            " next: elastune report " + RUN);
  }

  @Test
  void runStoppedAtBudgetNamesResumeOption() {
    Optional<Budget> budget = Optional.of(new Budget(0.65, 1, Budget.OnReach.STOP));
    OptionalDouble usd = OptionalDouble.of(0.65);
    try (ScriptedRun run =
        new ScriptedRun(
            home,
            RUN,
            SmallTestJob.meta(),
            some -> some.withLimits(budget, usd, some.deadlineS()))) {
      run.toTheEnd();
    }
    assertThat(inProcessCli.run("status").out())
        .contains(
            RUN + "   stopped, exit 11: stopped at the budget\n",
            " next: elastune resume "
                + RUN
                + " --budget USD   continues from the last checkpoints");
  }

  @Test
  void runWithoutControllerHasCrashed() {
    try (ScriptedRun run = begin()) {
      run.until(20);
    }
    assertThat(inProcessCli.run("status").out())
        .isEqualTo(
            """
            small-20261123-aaaa   crashed
             The controller has stopped. The run is unfinished; resume it to continue.
             Last committed state (2026-11-23 07:00:20Z, 1h00m ago): running, \
            group 2 of 2, as below.
             No instance is left.
             trials     2 running, 0 waiting, 0 completed, 1 stopped, 1 failed
             best       trial 4: acc 0.41 after epoch 1 with lr=0.004, batch=128
             instances  0 left, as reported by the cloud now
             cost       $0.37 so far, budget $2.00 (notional: nothing is charged)
             deadline   1m
             next: elastune resume small-20261123-aaaa   continues from the last checkpoints
                   elastune report small-20261123-aaaa   shows the results
            """);
    JsonNode status = inProcessCli.run("status", "--json").json();
    assertThat(status.path("state").asString()).isEqualTo("crashed");
    assertThat(status.path("group").asString()).isEqualTo("2");
    assertThat(status.path("instances").asInt(-1)).isZero();
    assertThat(status.path("exit").isNull()).isTrue();
  }

  /** The state for programs remains crashed: the run is unfinished and has no controller. */
  @Test
  void lostJournalIsNotCalledACrash() {
    ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta()).until(20);
    run.close();
    JournalLoss.reserve(run.folder());
    assertThat(inProcessCli.run("status").out()).startsWith(RUN + "   crashed\n");
    JournalLoss.write(run.folder(), "database or disk is full");
    assertThat(inProcessCli.run("status").out())
        .startsWith(
            RUN
                + "   stopped\n Stopped by its controller because its journal could not be written:"
                + " database or disk is full. The run is unfinished; resume it to continue.\n");
    assertThat(state()).isEqualTo("crashed");
    JournalLoss.reserve(run.folder());
    assertThat(inProcessCli.run("status").out()).startsWith(RUN + "   crashed\n");
  }

  @Test
  void crashBeforeJournalRentsNothing() {
    RunFolder run = RunFolder.of(home, RUN);
    run.create();
    try (ControllerLock lock = ControllerLock.tryAcquire(run).orElseThrow()) {
      assertThat(lock).isNotNull();
      assertThat(state()).isEqualTo("planning");
    }
    assertThat(state()).isEqualTo("crashed");
    assertThat(inProcessCli.run("status").out()).contains("nothing was rented");
    assertThat(inProcessCli.run("report").err())
        .isEqualTo(
            "RUN: small-20261123-aaaa has not started: it is crashed"
                + " (see elastune status small-20261123-aaaa)\n");
  }

  @Test
  void crashDuringJournalCreationRentsNothing() throws Exception {
    RunFolder run = RunFolder.of(home, RUN);
    run.create();
    ControllerLock.tryAcquire(run).orElseThrow().close();
    String file = "jdbc:sqlite:" + run.journal();
    try (Connection connection = DriverManager.getConnection(file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
    }

    InProcessCli.Result result = inProcessCli.run("status", RUN);

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).contains("crashed", "before it started anything");
  }

  @Test
  void profilingRunHasNoPrediction() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.profilingMeta())) {
      run.until(8);
      assertThat(inProcessCli.run("status").out())
          .isEqualTo(
              """
              small-20261123-aaaa   running, group 1 of 2   (profiling run)
               trials     4 running, 0 waiting, 0 completed, 0 stopped, 0 failed
               instances  2
               cost       $0.12 so far (notional: nothing is charged)
               deadline   1m
              """);
    }
  }

  @Test
  void reportsInvalidJournal() throws IOException {
    RunFolder run = RunFolder.of(home, RUN);
    run.create();
    Files.writeString(run.journal(), "this is not a database, despite its name");
    InProcessCli.Result result = inProcessCli.run("status");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("home/runs/" + RUN + "/journal.db: ")
        .endsWith("(the journal may be damaged)\n");
  }

  @Test
  void watchesUntilTheRunIsOver() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(8);
      CompletableFuture<InProcessCli.Result> watching =
          CompletableFuture.supplyAsync(() -> inProcessCli.run("status", "--watch", "--json"));
      TimeUnit.MILLISECONDS.sleep(500);
      run.toTheEnd();
      InProcessCli.Result result = watching.get(20, TimeUnit.SECONDS);
      assertThat(result.exit()).isZero();
      List<String> lines = result.out().lines().toList();
      assertThat(lines.get(0)).contains("\"state\":\"running\"");
      assertThat(lines.get(lines.size() - 1)).contains("\"state\":\"finished\"");
      assertThat(lines).doesNotHaveDuplicates();
      assertThat(result.err())
          .contains("2026-11-23 08:00:00Z running, group 1 of 2: trials 4 running")
          .contains("finished, exit 0");
    }
  }
}
