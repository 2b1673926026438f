package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.cli.text.DecisionText;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests complete runs that succeed. */
@Execution(ExecutionMode.CONCURRENT)
class RunIT {
  @TempDir Path folder;

  /** The path of the home contains a space, as does the trials' folder below. */
  @Test
  void successfulRunAndItsReports() throws Exception {
    LauncherProcess elastune = new LauncherProcess(folder, folder.resolve("my home"), Map.of());
    Path job = inTime("good").write(folder.resolve("jobs"));

    CommandResult run = elastune.run("run", job.toString(), "--json", "-y").assertExit(0);

    assertThat(run.lines()).allMatch(line -> line.has("event"));
    assertThat(run.err()).contains("Plan for good", "Report of " + run.run()).doesNotContain("{");
    JsonNode end = run.lastLine();
    assertThat(end.propertyNames())
        .filteredOn(name -> !name.equals("other_programs")) // known on Linux, after seconds
        .containsExactly(
            "event",
            "run",
            "exit",
            "best",
            "completion_s",
            "cost_usd",
            "estimate",
            "trials",
            "leases",
            "instances_left");
    checkGoodEnd(elastune, run, 8);
    checkBest(elastune, end);
    checkShrinks(elastune, run.run());
    checkCommandsAgree(elastune, end);
  }

  /** Checks that the best trial has the best last report among the trials trained the longest. */
  private static void checkBest(LauncherProcess elastune, JsonNode end) {
    try (RunReader journal = journal(elastune, end.path("run").asString())) {
      int most = journal.reports().stream().mapToInt(ReportRow::unit).max().orElseThrow();
      ReportRow best =
          journal.reports().stream()
              .filter(reportRow -> reportRow.unit() == most)
              .max(Comparator.comparingDouble(reportRow -> reportRow.metrics().get("acc")))
              .orElseThrow();
      assertThat(end.at("/best/trial").asInt()).isEqualTo(best.trial());
      assertThat(end.at("/best/metric").asDouble()).isEqualTo(best.metrics().get("acc"));
      Object x = journal.trials().get(best.trial() - 1).config().get("x");
      assertThat(end.at("/best/config/x").asDouble()).isEqualTo(x);
    }
  }

  /** Checks that an instance that later groups do not need is released before they end. */
  private static void checkShrinks(LauncherProcess elastune, String run) {
    try (RunReader journal = journal(elastune, run)) {
      List<GroupRow> groupRows = journal.groups();
      GroupRow last = groupRows.get(groupRows.size() - 1);
      assertThat(groupRows.get(0).instances()).isGreaterThan(last.instances());
      assertThat(journal.leases()).hasSize(groupRows.get(0).instances());
      assertThat(journal.leases())
          .anyMatch(
              leaseRow -> leaseRow.released().orElseThrow().isBefore(last.ended().orElseThrow()));
    }
  }

  private static String text(String run, DecisionRow row) {
    return DecisionText.of(run, row.reason(), row.numbers());
  }

  /** Returns the beginning of a text that may be wrapped later. */
  private static String beginning(String text) {
    return text.substring(0, Math.min(30, text.length()));
  }

  private static void checkCommandsAgree(LauncherProcess elastune, JsonNode end) throws Exception {
    String run = end.path("run").asString();
    ObjectNode report =
        (ObjectNode) elastune.inProcess("report", run, "--json").assertExit(0).json();
    assertThat(report.path("groups").size()).isEqualTo(3);
    assertThat(report.path("leases").size()).isEqualTo(end.path("leases").asInt());
    double usd =
        report
            .path("leases")
            .valueStream()
            .mapToDouble(lease -> lease.path("usd").asDouble())
            .sum();
    assertThat(usd).isCloseTo(end.path("cost_usd").asDouble(), within());
    assertThat(report.path("trial_results").size()).isEqualTo(8);
    List<String> onlyInReport =
        List.of(
            "at_risk",
            "code",
            "groups",
            "leases",
            "failed_nodes_usd",
            "failures",
            "faults",
            "preemptions",
            "resizes",
            "trial_results",
            "unallocated_usd",
            "warnings_log");
    assertThat(report.without(onlyInReport)).isEqualTo(((ObjectNode) end).without("leases"));

    JsonNode status = elastune.inProcess("status", run, "--json").assertExit(0).json();
    assertThat(status.path("state").asString()).isEqualTo("finished");
    assertThat(status.path("exit").asInt()).isZero();
    assertThat(status.path("instances").asInt()).isZero();
    assertThat(status.path("spent_usd")).isEqualTo(end.path("cost_usd"));
    for (String state : List.of("completed", "stopped", "failed")) {
      assertThat(status.path("trials").path(state)).isEqualTo(end.path("trials").path(state));
    }

    int best = end.at("/best/trial").asInt();
    CommandResult log =
        elastune.inProcess("logs", run, "--trial", Integer.toString(best)).assertExit(0);
    assertThat(log.out().lines())
        .containsExactly(
            "worker 0 of 1, from 0 to 1",
            "worker 0 of 1, from 1 to 2",
            "worker 0 of 1, from 2 to 4");
    CommandResult logs = elastune.inProcess("logs", run, "--json").assertExit(0);
    try (RunReader journal = journal(elastune, run)) {
      assertThat(logs.lines()).hasSameSizeAs(journal.attempts());
      JsonNode decisions = elastune.inProcess("explain", run, "--json").assertExit(0).json();
      List<String> reasons =
          decisions.valueStream().map(node -> node.path("reason").asString()).toList();
      assertThat(reasons.get(0)).startsWith("approved: finish ");
      assertThat(reasons.get(1)).startsWith("where the time goes: ");
      assertThat(reasons.get(2)).startsWith("what would help: ");
      assertThat(reasons.get(3)).startsWith("chosen: the cheapest plan that meets the deadline");
      assertThat(reasons.subList(4, reasons.size()))
          .containsExactlyElementsOf(
              journal.decisions().stream().map(row -> text(run, row)).toList());
      String explained = elastune.inProcess("explain", run).assertExit(0).out();
      journal
          .decisions()
          .forEach(d -> assertThat(explained).contains(d.decision(), beginning(text(run, d))));
    }
    assertThat(elastune.inProcess("report").assertExit(0).out())
        .contains("finished, exit 0", "best: trial " + best + " ");
    assertThat(elastune.inProcess("status").assertExit(0).out()).contains(run, "finished, exit 0");
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-9);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void hyperband() throws Exception {
    TinyJob job =
        new TinyJob("hyperband")
            .search("{algorithm: hyperband, brackets: separate, eta: 2, ", "min: 1, max: 4")
            .with("deadline", "10m");

    CommandResult run = finish(LauncherProcess.in(folder), job, 10);

    try (RunReader journal = journal(LauncherProcess.in(folder), run.run())) {
      assertThat(journal.groups())
          .extracting(GroupRow::name)
          .containsExactly("a.1", "a.2", "a.3", "b.1", "b.2", "c.1");
    }
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void randomSearch() throws Exception {
    TinyJob job =
        new TinyJob("random")
            .search("{algorithm: random, trials: 3, ", "max: 2")
            .with("deadline", "10m"); // also on a busy machine
    CommandResult run = finish(LauncherProcess.in(folder), job, 3);
    assertThat(run.lastLine().at("/trials/completed").asInt()).isEqualTo(3);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void gridSearch() throws Exception {
    TinyJob job =
        new TinyJob("grid")
            .search("{algorithm: grid, ", "max: 2", "x: {type: choice, values: [0.1, 0.2, 0.7]}")
            .with("deadline", "10m");
    CommandResult run = finish(LauncherProcess.in(folder), job, 3);
    assertThat(run.lastLine().at("/best/config/x").asDouble()).isEqualTo(0.2);
  }

  @Test
  void twoWorkersOnOneInstanceOrATeam() throws Exception {
    for (String type : List.of("duo", "solo")) {
      TinyJob job =
          new TinyJob("pairs-" + type)
              .search("{algorithm: random, trials: 2, ", "max: 2")
              .trial("0.1", "gpus: 2")
              .instanceTypes(type)
              .profile("[{gpus: 2, seconds: 2}]")
              .with("deadline", "10m");

      CommandResult run = finish(LauncherProcess.in(folder), job, 2);

      CommandResult logs =
          LauncherProcess.in(folder).inProcess("logs", run.run(), "--trial", "2").assertExit(0);
      assertThat(logs.out())
          .contains("[0] worker 0 of 2, from 0 to 2", "[1] worker 1 of 2, from 0 to 2");
      try (RunReader journal = journal(LauncherProcess.in(folder), run.run())) {
        assertThat(journal.attempts()).allMatch(attemptRow -> attemptRow.places().size() == 2);
      }
    }
  }

  /** Its setup prints more than a pipe buffers, and its folder's name contains a space. */
  @Test
  @Tag(Tier.NIGHTLY)
  void profilesJobOnce() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Files.createDirectories(folder.resolve("jobs/my trials"));
    TinyJob job =
        new TinyJob("fresh")
            .with("deadline", "5m")
            .without("profile")
            .with(
                "trial",
                "{workdir: my trials, setup: yes is printed | head -n 100000,"
                    + " run: cd .. && exec sh trial.sh, gpus: 1..2, envs: {PAUSE: \"0.1\"}}");

    CommandResult first = finish(elastune, job, 8);

    assertThat(first.err())
        .contains(
            "Profiling this program on local/solo/on-demand",
            "Profiling as run ",
            "Profile saved in ");
    String profiling = first.err().replaceAll("(?s).*Profiling as run (\\S+)\n.*", "$1");
    Leftovers.assertNone(elastune.home(), profiling);
    CommandResult setup = elastune.inProcess("logs", profiling, "--setup").assertExit(0);
    assertThat(setup.out().lines().count()).isGreaterThanOrEqualTo(100_000);
    JsonNode report = elastune.inProcess("report", profiling, "--json").assertExit(0).json();
    assertThat(report.path("exit").asInt()).isZero();
    assertThat(first.lastLine().path("cost_usd").asDouble())
        .isGreaterThan(report.path("cost_usd").asDouble());

    CommandResult second = finish(elastune, job, 8);
    assertThat(second.err()).doesNotContain("Profiling");
    assertThat(second.lastLine().path("cost_usd").asDouble())
        .isEqualTo(spent(elastune, second.run())); // its own leases only
  }

  /** The reader closes the pipe of the results; the run continues. */
  @Test
  void closedOutputPipeDoesNotStopTheRun() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    TinyJob job =
        new TinyJob("piped")
            .search("{algorithm: random, trials: 2, ", "max: 2")
            .with("deadline", "10m");

    CommandResult run =
        elastune.runWithClosedPipe(
            "run", job.write(folder.resolve("jobs")).toString(), "-y", "--json");

    assertThat(run.lines()).hasSize(1);
    assertThat(run.err()).doesNotContain("Exception", "cannot be written");
    JsonNode status = elastune.inProcess("status", "--json").assertExit(0).json();
    assertThat(status.path("state").asString()).isEqualTo("finished");
    assertThat(status.path("exit").asInt(-1)).isZero();
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void concurrentRunsInOneHome() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path some = inTime("some").write(folder.resolve("some"));
    Path others = inTime("others").write(folder.resolve("others"));

    RunningCommand one = elastune.start("run", some.toString(), "--json", "-y");
    RunningCommand other = elastune.start("run", others.toString(), "--json", "-y");

    checkGoodEnd(elastune, one.awaitExit().assertExit(0), 8);
    checkGoodEnd(elastune, other.awaitExit().assertExit(0), 8);
  }

  /** Returns a job that needs four instances at first and is in time also on a busy machine. */
  private static TinyJob inTime(String name) {
    return new TinyJob(name).profile("[{gpus: 1, seconds: 375}]").with("deadline", "50m");
  }

  private CommandResult finish(LauncherProcess elastune, TinyJob job, int trials) throws Exception {
    Path file = job.write(folder.resolve("jobs"));
    CommandResult run = elastune.inProcess("run", file.toString(), "--json", "-y").assertExit(0);
    checkGoodEnd(elastune, run, trials);
    checkBest(elastune, run.lastLine());
    return run;
  }

  /** Checks that every trial is accounted for and that no instance is left. */
  private static void checkGoodEnd(LauncherProcess elastune, CommandResult run, int trials)
      throws Exception {
    JsonNode end = run.lastLine();
    assertThat(end.path("event").asString()).isEqualTo("finished");
    assertThat(end.path("exit").asInt()).isZero();
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    int counted = end.path("trials").valueStream().mapToInt(JsonNode::asInt).sum();
    assertThat(counted).isEqualTo(trials);
    assertThat(end.at("/trials/failed").asInt()).isZero();
    Leftovers.assertNone(elastune.home(), run.run());
  }

  private static double spent(LauncherProcess elastune, String run) {
    try (RunReader journal = journal(elastune, run)) {
      return journal.progress().spentUsd();
    }
  }

  private static RunReader journal(LauncherProcess elastune, String run) {
    return RunReader.open(RunFolder.of(elastune.home(), run));
  }
}
