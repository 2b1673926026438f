package io.elastune.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli.Result;
import io.elastune.core.files.LockedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisabledOnOs(OS.WINDOWS)
class ScheduleTimersTest {
  @TempDir Path folder;

  private static Result add(ScheduledMachine machine, String... more) {
    List<String> arguments = new ArrayList<>(List.of("schedule", "add", machine.job.toString()));
    arguments.addAll(List.of(more));
    return machine.run(arguments.toArray(String[]::new));
  }

  @Test
  void crontabKeepsOtherLinesAndCallsTheLauncher() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    Path table = machine.bin.resolve("table");
    Files.writeString(table, "MAILTO=ana\n5 5 * * * backup # elastune schedule night-2\n");

    assertThat(add(machine, "--cron", "0 2 * * *", "--name", "night").exit()).isZero();
    List<String> lines = Files.readAllLines(table);
    assertThat(lines).hasSize(3).startsWith("MAILTO=ana");
    String line = lines.get(2);
    assertThat(line).startsWith("0 2 * * * env ").doesNotContain("not-for-files");

    // What cron executes: it replaces \% by %.
    String command = line.substring("0 2 * * * ".length()).replace("\\%", "%");
    ExternalPrograms.output(folder, Map.of(), "sh", "-c", command);
    assertThat(machine.home.resolve("schedules/night.out"))
        .hasContent("<schedule><start><night> " + machine.home + " /opt/100%/it's");

    assertThat(machine.run("schedule", "rm", "night").exit()).isZero();
    assertThat(Files.readAllLines(table)).isEqualTo(lines.subList(0, 2));
    assertThat(machine.run("schedule", "list").out()).startsWith("No schedules.");
  }

  @Test
  void systemdGetsTimerAndService() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab().withSystemd();
    assertThat(add(machine, "--cron", "30 2 1 * mon", "--name", "night").out())
        .contains("systemd: ", "loginctl enable-linger");
    Path units = folder.resolve(".config/systemd/user");
    assertThat(units.resolve("elastune-night.timer"))
        .content()
        .contains("OnCalendar=*-*-01 02:30:00\nOnCalendar=Mon *-*-* 02:30:00\n");
    assertThat(units.resolve("elastune-night.service"))
        .content()
        .contains("Environment=\"ELASTUNE_HOME=" + machine.home + "\"")
        .contains("Environment=\"JAVA_HOME=/opt/100%%/it's\"")
        .contains("\" \"schedule\" \"start\" \"night\"\n")
        .doesNotContain("not-for-files");
    assertThat(machine.bin.resolve("table")).doesNotExist();

    assertThat(machine.run("schedule", "rm", "night").exit()).isZero();
    try (var files = Files.list(units)) {
      assertThat(files).isEmpty();
    }
    assertThat(Files.readAllLines(machine.bin.resolve("calls")))
        .containsSubsequence(
            "--user enable --now elastune-night.timer",
            "--user disable --now elastune-night.timer",
            "--user daemon-reload");
  }

  @Test
  void systemdAcceptsTheUnits() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("systemd-analyze"), "systemd-analyze is missing");
    ScheduledMachine machine = new ScheduledMachine(folder).withSystemd();
    assertThat(add(machine, "--cron", "*/20 2 * * *", "--name", "night", "--systemd").exit())
        .isZero();
    Path units = folder.resolve(".config/systemd/user");
    String output =
        ExternalPrograms.output(
            folder,
            Map.of("XDG_RUNTIME_DIR", folder.toString(), "HOME", folder.toString()),
            "systemd-analyze",
            "--user",
            "--man=no",
            "verify",
            units.resolve("elastune-night.service").toString(),
            units.resolve("elastune-night.timer").toString());
    assertThat(output).doesNotContain("elastune-night");
  }

  @Test
  void refusedTimerLeavesNoSchedule() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder);
    Result result = add(machine, "--cron", "0 2 * * *", "--systemd");
    machine.variables.put("PATH", machine.bin.toString());
    assertThat(add(machine, "--cron", "0 2 * * *", "--crontab").err())
        .contains("crontab: is not on the PATH");
    assertThat(result.exit()).isNotZero();
    assertThat(machine.run("schedule", "list", "--json").json().size()).isZero();
  }

  @Test
  void invalidOptionsNameTheRemedy() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    assertThat(add(machine, "--cron", "0 25 * * *").err())
        .contains("--cron: the hour must be from 0 to 23, is '25'");
    assertThat(add(machine, "--cron", "0 2 * * *", "--name", "A b").err()).contains("--name: ");
    assertThat(add(machine, "--cron", "0 2 * * *", "--", "--deadlin", "2h").err())
        .contains("--deadlin");
    assertThat(add(machine, "--cron", "0 2 * * *", "--", "--detach").err()).contains("--detach");
    assertThat(
            add(machine, "--cron", "0 2 * * *", "--monthly-usd", "1", "--", "--budget", "2").err())
        .contains("--monthly-usd: $1.00 is less than the budget of one run, $2.00");
    assertThat(machine.bin.resolve("table")).doesNotExist();
    assertThat(machine.run("schedule", "rm", "none").err()).contains("none: is not a schedule");
  }

  @Test
  void filesOfOptionsAreStoredAsAbsolutePaths() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    Files.copy(machine.job.resolveSibling("profile.yaml"), folder.resolve("my profile.yaml"));
    assertThat(
            add(machine, "--cron", "0 2 * * *", "--", "--profile", "my profile.yaml", "-y").exit())
        .isZero();
    JsonNode options = machine.run("schedule", "list", "--json").json().path(0).path("options");
    assertThat(options.valueStream().map(JsonNode::asString).toList())
        .containsExactly("--profile=" + folder.resolve("my profile.yaml"), "--yes");
  }

  /** A change takes several calls of crontab, longer than a start may wait for its lock. */
  @Test
  void schedulesAreAddedAfterAChangeByAnotherCommand() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    Path lock = Files.createDirectories(machine.home.resolve("schedules")).resolve(".lock");
    CompletableFuture<Result> added;
    try (LockedFile held = LockedFile.tryAcquire(lock).orElseThrow()) {
      added = CompletableFuture.supplyAsync(() -> add(machine, "--cron", "0 2 * * *"));
      Thread.sleep(1500);
      held.requireHeld();
    }
    assertThat(added.join().exit()).isZero();
  }

  /** Both change the crontab, which is read and written as a whole. */
  @Test
  void schedulesAddedAtOnceAreAllInTheCrontab() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    List<String> names = List.of("a", "b", "c", "d");
    List<Integer> exits =
        names.parallelStream()
            .map(name -> add(machine, "--cron", "0 2 * * *", "--name", name).exit())
            .toList();
    assertThat(exits).containsOnly(0);
    assertThat(Files.readAllLines(machine.bin.resolve("table"))).hasSize(names.size());
  }

  @Test
  void scheduleWithAnUnreadableFileCanBeRemoved() throws Exception {
    ScheduledMachine machine = new ScheduledMachine(folder).withCrontab();
    assertThat(add(machine, "--cron", "0 2 * * *", "--name", "night").exit()).isZero();
    Files.writeString(machine.home.resolve("schedules/night.json"), "{");
    assertThat(machine.run("schedule", "list").err()).contains("elastune schedule rm night");
    assertThat(machine.run("schedule", "rm", "night").exit()).isZero();
    assertThat(machine.bin.resolve("table")).isEmptyFile();
    assertThat(machine.run("schedule", "list").exit()).isZero();
  }
}
