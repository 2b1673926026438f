package io.elastune.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli.Result;
import io.elastune.core.config.Overrides;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** A night of scheduled runs, whose clock is set by the test. The runs are simulated. */
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class ScheduleNightTest {
  /** Of the worked example, in USD. */
  private static final double COST = 1.717;

  @TempDir Path folder;
  private ScheduledMachine machine;
  private Path notices;

  @BeforeEach
  void prepare() throws Exception {
    machine = new ScheduledMachine(folder).withCrontab();
    notices = folder.resolve("notices");
    Files.writeString(
        machine.job,
        Files.readString(machine.job)
            + "\nnotify: [{command: 'cat >> \""
            + notices
            + "\"', on: [warned]}]\n");
  }

  private void add(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("schedule", "add", machine.job.toString(), "--cron", "*/30 22-23,0 * * *"));
    arguments.addAll(List.of("--name", "nightly"));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--", "--infra", "simulated", "--budget", "2"));
    Result added = machine.run(arguments.toArray(String[]::new));
    assertThat(added.exit()).as(added.err()).isZero();
    assertThat(added.out())
        .contains("next start  2026-11-30 22:00 UTC", "next start  2026-11-30 23:00 UTC");
  }

  @Test
  void monthlyBudgetSkipsStartsUntilTheNextMonth() throws Exception {
    add("--monthly-usd", "6");

    // Three runs cost less than $6.00, and leave less than the budget of a fourth one.
    List<Integer> exits = new ArrayList<>();
    ZonedDateTime start = machine.now.atZone(ZoneOffset.UTC);
    for (int i = 0; i < 5; i++) {
      start = CronExpression.parse("*/30 22-23,0 * * *").next(start, 1).get(0);
      machine.now = start.toInstant();
      exits.add(machine.run("schedule", "start", "nightly").exit());
    }

    assertThat(start.toString()).isEqualTo("2026-12-01T00:00Z");
    assertThat(exits).containsExactly(0, 0, 0, 11, 0);
    assertThat(Files.readString(notices))
        .contains("\"event\":\"warned\"", "nightly: start skipped: $5.15 of the monthly $6.00")
        .hasLineCount(1);
    JsonNode log = machine.run("schedule", "log", "nightly", "--json").json();
    assertThat(log.valueStream().map(line -> line.path("state").asString()).toList())
        .containsExactly("ended", "ended", "ended", "skipped", "ended");
    assertThat(machine.run("schedule", "log", "nightly").out())
        .contains("2026-11-30 23:30 UTC  skipped: $5.15 of the monthly $6.00 are spent");

    JsonNode december = machine.run("schedule", "list", "--json").json().path(0);
    assertThat(december.path("month").asString()).isEqualTo("2026-12");
    assertThat(december.path("spent_usd").asDouble()).isCloseTo(COST, within(1e-3));
    assertThat(december.path("next_starts").path(0).asString()).isEqualTo("2026-12-01T00:30Z");
    String run = log.path(4).path("runs").path(0).asString();
    assertThat(machine.run("status", run).out())
        .contains("schedule nightly: $1.72 of $6.00 spent in 2026-12, next start 2026-12-01 00:30");
    JsonNode schedule = machine.run("status", run, "--json").json().path("schedule");
    assertThat(schedule.path("name").asString()).isEqualTo("nightly");
    assertThat(schedule.path("monthly_usd").asDouble()).isEqualTo(6);
    assertThat(schedule.path("month").asString()).isEqualTo("2026-12");
    assertThat(schedule.path("spent_usd").asDouble()).isCloseTo(COST, within(1e-3));
    assertThat(schedule.path("unknown_cost").isEmpty()).isTrue();
    assertThat(schedule.path("next_start").asString()).isEqualTo("2026-12-01T00:30Z");

    // The log keeps the cost of runs that are removed.
    assertThat(machine.run("runs", "rm", run, "-y").exit()).isZero();
    assertThat(machine.run("schedule", "list").out()).contains("$1.72", "$6.00");
  }

  @Test
  void killedStartCountsWithItsRun() {
    add("--monthly-usd", "3");
    machine.now = machine.now.plusSeconds(600);
    new ScheduleStore(machine.environment(sink(), sink()))
        .append("nightly", StartRecord.started(machine.now, "worked-example"));
    machine.now = machine.now.plusSeconds(1);
    Result run =
        machine.run("run", machine.job.toString(), "-y", "--infra", "simulated", "--budget", "2");
    assertThat(run.exit()).as(run.err()).isZero();

    machine.now = machine.now.plusSeconds(1800);
    assertThat(machine.run("schedule", "start", "nightly").exit()).isEqualTo(11);
  }

  @Test
  void startDuringARunIsSkipped() throws Exception {
    add();
    Schedule schedule = new ScheduleStore(machine.environment(sink(), sink())).get("nightly");
    List<Integer> exits = new ArrayList<>();
    ScheduleStarter second =
        new ScheduleStarter(
            machine.environment(sink(), sink()),
            arguments -> {
              throw new AssertionError("started " + arguments);
            });
    ScheduleStarter first =
        new ScheduleStarter(
            machine.environment(sink(), sink()),
            arguments -> {
              machine.now = machine.now.plusSeconds(1800);
              exits.add(second.start(schedule, Overrides.NONE));
              return 16;
            });

    exits.add(first.start(schedule, Overrides.NONE));

    assertThat(exits).containsExactly(3, 16);
    assertThat(machine.run("schedule", "log", "nightly").out())
        .contains("2026-11-30 21:50 UTC  ended with exit code 16")
        .contains("2026-11-30 22:20 UTC  skipped: the previous run is in progress");
    assertThat(Files.readString(notices)).contains("the previous run is in progress");
  }

  private static ByteArrayOutputStream sink() {
    return new ByteArrayOutputStream();
  }
}
