package io.elastune.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli.Result;
import io.elastune.executor.journal.RunFolder;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** The cost of runs whose scheduled start was killed, or whose journal is damaged. */
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class ScheduleCostTest {
  private static final String JOB = "worked-example";

  /** Of the worked example, in USD. */
  private static final double COST = 1.717;

  @TempDir Path folder;
  private ScheduledMachine machine;

  @BeforeEach
  void prepare() throws Exception {
    machine = new ScheduledMachine(folder).withCrontab();
    add("--monthly-usd", "6");
  }

  private void add(String... more) {
    String[] begin = {"schedule", "add", machine.job.toString(), "--cron", "0 22 * * *"};
    String[] end = {"--name", "nightly", "--", "--infra", "simulated", "--budget", "2"};
    String[] all = new String[begin.length + more.length + end.length];
    System.arraycopy(begin, 0, all, 0, begin.length);
    System.arraycopy(more, 0, all, begin.length, more.length);
    System.arraycopy(end, 0, all, begin.length + more.length, end.length);
    assertThat(machine.run(all).exit()).isZero();
  }

  private ScheduleStore store() {
    return new ScheduleStore(machine.environment(sink(), sink()));
  }

  private static ByteArrayOutputStream sink() {
    return new ByteArrayOutputStream();
  }

  /** Leaves what a start leaves whose process was killed after the end of its run. */
  private RunFolder killedStart() throws Exception {
    machine.now = machine.now.plusSeconds(600);
    store().append("nightly", StartRecord.started(machine.now, JOB));
    machine.now = machine.now.plusSeconds(1);
    Result run =
        machine.run("run", machine.job.toString(), "-y", "--infra", "simulated", "--budget", "2");
    assertThat(run.exit()).as(run.err()).isZero();
    RunFolder started = RunFolder.all(machine.home).get(0);
    Files.setLastModifiedTime(started.lock(), FileTime.from(machine.now));
    machine.now = machine.now.plus(Duration.ofHours(1));
    return started;
  }

  private JsonNode listed() {
    return machine.run("schedule", "list", "--json").json().path(0);
  }

  @Test
  void damagedJournalOfKilledStartPreventsTheNextOne() throws Exception {
    RunFolder run = killedStart();
    Files.writeString(run.journal(), "no database");

    Result start = machine.run("schedule", "start", "nightly");

    assertThat(start.exit()).isEqualTo(11);
    assertThat(start.err())
        .contains(
            "start skipped: the cost of run " + run.run() + " is unknown, because its journal")
        .contains("state the cost from the provider's bill: elastune schedule cost nightly ")
        .contains("without it, the monthly budget of $6.00 allows no start");
    assertThat(RunFolder.all(machine.home)).hasSize(1);
    assertThat(machine.run("schedule", "list").out())
        .contains("$0.00 + unknown", "nightly: the cost of run " + run.run() + " is unknown");
    assertThat(machine.run("schedule", "log", "nightly").out())
        .contains("the process was killed, cost unknown: " + run.run());
    assertThat(listed().path("spent_usd").isNull()).isTrue();
    assertThat(listed().path("unknown_cost").path(0).asString()).isEqualTo(run.run());
    JsonNode killed = machine.run("schedule", "log", "nightly", "--json").json().path(0);
    assertThat(killed.path("state").asString()).isEqualTo("killed");
    assertThat(killed.path("usd").isNull()).isTrue();
    assertThat(killed.path("exit").isNull()).isTrue();

    assertThat(machine.run("schedule", "cost", "nightly", "other", "1").err())
        .contains("RUN: schedule nightly did not start other");
    assertThat(machine.run("schedule", "cost", "nightly", run.run(), "-1").exit()).isEqualTo(2);
    assertThat(machine.run("schedule", "cost", "nightly", run.run(), "1.5").exit()).isZero();
    assertThat(machine.run("schedule", "start", "nightly").exit()).isZero();
    assertThat(listed().path("spent_usd").asDouble()).isCloseTo(1.5 + COST, within(1e-3));
    assertThat(machine.run("schedule", "log", "nightly").out()).contains("cost stated: $1.50: ");
  }

  @Test
  void costOfRemovedRunOfKilledStartRemains() throws Exception {
    RunFolder run = killedStart();
    assertThat(machine.run("runs", "rm", run.run(), "-y").exit()).isZero();
    assertThat(run.path()).doesNotExist();
    assertThat(listed().path("spent_usd").asDouble()).isCloseTo(COST, within(1e-3));
  }

  @Test
  void runOfKilledStartCountsAfterTheJobIsRenamed() throws Exception {
    killedStart();
    String text = Files.readString(machine.job);
    Files.writeString(machine.job, text.replace("name: " + JOB, "name: other"));
    assertThat(listed().path("spent_usd").asDouble()).isCloseTo(COST, within(1e-3));
  }

  /** Its instances cost more than the journal contains. */
  @Test
  void crashedRunCountsWithItsBudget() throws Exception {
    RunFolder run = killedStart();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + run.journal());
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE progress SET phase = 'RUNNING', exit_code = NULL");
      statement.execute("UPDATE lease SET phase = 'READY' WHERE number = 1");
    }
    assertThat(listed().path("spent_usd").asDouble()).isEqualTo(2);
    assertThat(machine.run("schedule", "cost", "nightly", run.run(), "1.8").exit()).isZero();
    assertThat(listed().path("spent_usd").asDouble()).isEqualTo(1.8);
  }

  /** A full disk cuts a line. */
  @Test
  void lineAfterACutLineIsRead() throws Exception {
    Path log = machine.home.resolve("schedules/nightly.log");
    Files.writeString(log, "{\"at\":\"2026-11-", StandardOpenOption.CREATE);
    assertThat(machine.run("schedule", "start", "nightly").exit()).isZero();
    assertThat(listed().path("spent_usd").asDouble()).isCloseTo(COST, within(1e-3));
  }
}
