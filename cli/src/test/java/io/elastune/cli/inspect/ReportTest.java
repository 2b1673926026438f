package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.journal.RunFolder;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.profiler.History;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ReportTest {
  private static final String RUN = "small-20261123-aaaa";
  private static final List<String> FINISHED_KEYS =
      List.of(
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

  @TempDir Path folder;
  private Path home = Path.of("");
  private InProcessCli inProcessCli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    inProcessCli = new InProcessCli(folder);
  }

  /** A corrupt journal is not an internal error, and the message names how to find instances. */
  @Test
  void reportsCorruptJournal() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.toTheEnd();
    }
    String journal = "jdbc:sqlite:" + RunFolder.of(home, RUN).journal();
    try (Connection connection = DriverManager.getConnection(journal);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE meta SET value = replace(value, ':', '=') WHERE key = 'estimate'");
    }

    InProcessCli.Result result = inProcessCli.run("report", RUN);

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("cannot read the content of the journal: ")
        .contains("the file is damaged", "elastune orphans");
  }

  @Test
  void showsMeasuredSpeedOfGpus() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.copyGbPerS = OptionalDouble.of(480.5);
      run.toTheEnd();
    }
    assertThat(inProcessCli.run("report", RUN).out())
        .contains("duration  GPU copy   cost", "14s  481 GB/s  $0.14");
    assertThat(inProcessCli.run("report", RUN, "--json").out())
        .contains("\"copy_gb_per_s\" : 480.5");
  }

  /** Node acceptance compares new instances with these. Each run has two. */
  @Test
  void speedsOfGpusAreStoredByOffer() throws Exception {
    History history = new History(home, InstantSource.system());
    for (String last : List.of("a", "b")) {
      assertThat(history.copySpeeds()).isEmpty();
      try (ScriptedRun run = new ScriptedRun(home, RUN + last, SmallTestJob.meta())) {
        run.copyGbPerS = OptionalDouble.of(last.equals("a") ? 480 : 500);
        run.toTheEnd();
      }
    }
    assertThat(history.copySpeeds()).isEqualTo(Map.of("local/duo/on-demand", 490.0));
  }

  @Test
  void comparesPlanAndActual() throws Exception {
    Path store = folder.resolve("checkpoints");
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta("checkpoints", store))) {
      run.toTheEnd();
    }
    Files.createDirectories(store.resolve("trial-4").resolve("3"));
    InProcessCli.Result result = inProcessCli.run("report", RUN);
    assertThat(result.exit()).isZero();
    assertThat(result.out().replace(store.toString(), "/checkpoints"))
        .isEqualTo(
            """
            Report of small-20261123-aaaa   job.yaml
             finished, exit 0: done; 1 of 4 trials failed (ValueError: lr is too small), no instance left
             started 2026-11-23 07:00:00Z, last group ended after 35s, predicted 40s, deadline 1m

             best: trial 4 with acc 0.43 after epoch 3
               lr            0.004
               batch         128
               checkpoint    /checkpoints/trial-4/3

             group  trials  to epoch  instances                time  predicted   +/-   cost  predicted   +/-
             1           4         1  2 × local/duo/on-demand   15s        16s   -6%  $0.26      $0.30  -13%
             2           2         3  1 × local/duo/on-demand   20s        24s  -17%  $0.22      $0.25  -12%
             all         4                                      35s        40s  -12%  $0.48      $0.60  -20%

             lease  offer                requested  running  released  duration   cost
             1      local/duo/on-demand         0s       2s       16s       14s  $0.14
             2      local/duo/on-demand         0s       2s       36s       34s  $0.34
             times are measured from the start of the run; lease N is small-20261123-aaaa-N
             example (notional) prices: you will not be charged

             cost    $0.53: instances $0.48, profiling $0.0500; budget $2.00
                     profiling run: small-20261123-p
             trials  0 running, 0 waiting, 2 completed, 1 stopped, 1 failed
             failures by cause
               trial 3 failed with lr=0.003, batch=96: ValueError: lr is too small
             faults
               trial 3: exit 1: ValueError: lr is too small (2 times)
               trial 3: dropped after 2 failed attempts
               all output: elastune logs small-20261123-aaaa --trial N
             checkpoints  /checkpoints
             decisions    5, with reasons: elastune explain small-20261123-aaaa
             next         continue from the best checkpoint, or retrain with the best configuration
            """);
  }

  @Test
  void includesHourlyCosts() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.metaWithRunningCosts())) {
      run.toTheEnd();
    }
    // Completion takes 35 s. The controller costs 12 USD per hour. Four trials with three
    // checkpoints of 73 GB at 5 USD per month of 730 h cost 6 USD per hour.
    assertThat(inProcessCli.run("report", RUN).out())
        .contains(
            " cost    $0.71: instances $0.48, controller and checkpoints $0.18, profiling"
                + " $0.0500;");
    assertThat(inProcessCli.run("report", "--json", RUN).json().path("cost_usd").asDouble())
        .isEqualTo(0.53 + 18 * 35 / 3600.0, within(1e-9));
  }

  @Test
  void jsonHasGroupsLeasesAndFaults() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.toTheEnd();
    }
    JsonNode report = inProcessCli.run("report", "--json", RUN).json();
    assertThat(report.propertyNames()).startsWith(FINISHED_KEYS.toArray(new String[0]));
    assertThat(report.propertyNames())
        .endsWith(
            "at_risk",
            "preemptions",
            "resizes",
            "groups",
            "trial_results",
            "unallocated_usd",
            "failed_nodes_usd",
            "failures",
            "faults")
        .hasSize(FINISHED_KEYS.size() + 9);
    assertThat(report.path("failures").valueStream()).hasSize(1);
    JsonNode failure = report.path("failures").path(0);
    assertThat(failure.path("cause").asString()).isEqualTo("ValueError: lr is too small");
    assertThat(failure.path("count").asInt()).isEqualTo(2);
    assertThat(failure.path("example").asString()).startsWith("exit 1; last lines:\n");
    assertThat(failure.path("kind").asString()).isEqualTo("exception");
    assertThat(failure.path("trials")).hasToString("[3]");
    assertThat(report.path("faults").valueStream())
        .hasSize(3)
        .allMatch(fault -> fault.path("trial").asInt() == 3)
        .anyMatch(fault -> fault.path("message").asString().startsWith("dropped after"));
    assertThat(report.path("event").asString()).isEqualTo("finished");
    assertThat(report.path("instances_left").asInt(-1)).isZero();
    assertThat(report.path("groups").path(1))
        .hasToString(
            "{\"group\":\"2\",\"predicted_s\":24.0,\"actual_s\":20.0,"
                + "\"predicted_usd\":0.25,\"actual_usd\":0.22000000000000003}");
    assertThat(report.path("leases").path(0))
        .hasToString(
            "{\"id\":\"small-20261123-aaaa-1\",\"offer\":\"local/duo/on-demand\","
                + "\"requested\":\"2026-11-23T07:00:00Z\",\"running\":\"2026-11-23T07:00:02Z\","
                + "\"released\":\"2026-11-23T07:00:16Z\",\"usd\":0.14}");
  }

  @Test
  void finishedLineHasItsKeysAndNumbers() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.toTheEnd();
      JsonNode line = JsonDocuments.of(FinishedDocument.of(RunRecord.read(run.folder())));
      assertThat(line.propertyNames()).containsExactlyElementsOf(FINISHED_KEYS);
      assertThat(line.path("exit").asInt(-1)).isZero();
      assertThat(line.path("completion_s").asDouble()).isEqualTo(35);
      assertThat(line.path("cost_usd").asDouble()).isEqualTo(0.53);
      assertThat(line.path("leases").asInt()).isEqualTo(2);
      assertThat(line.path("trials"))
          .hasToString("{\"completed\":2,\"stopped\":1,\"failed\":1,\"ended_early\":0}");
      assertThat(line.path("best").path("trial").asInt()).isEqualTo(4);
      assertThat(line.path("best").path("metric").asDouble()).isEqualTo(0.43, within(1e-9));
      assertThat(line.path("best").path("config")).hasToString("{\"lr\":0.004,\"batch\":128}");
      assertThat(line.path("estimate").propertyNames())
          .containsExactly(
              "completion_s",
              "cost_usd",
              "on_time",
              "in_budget",
              "samples",
              "sampling_error",
              "cost_by");
    }
  }

  @Test
  void stoppedRunReportsResultsSoFar() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.until(9).stop().toTheEnd();
    }
    InProcessCli.Result people = inProcessCli.run("report");
    assertThat(people.out())
        .contains(
            " stopped, exit 130: stopped by elastune stop\n",
            " The run did not finish. Results up to that point:\n",
            " best: none; no trial has reported acc at the end of a group or rung\n",
            "not ended",
            " next         resume it: elastune resume small-20261123-aaaa\n");
    JsonNode report = inProcessCli.run("report", "--json").json();
    assertThat(report.path("exit").asInt()).isEqualTo(130);
    assertThat(report.path("best").isNull()).isTrue();
    assertThat(report.path("completion_s").isNull()).isTrue();
    assertThat(report.path("groups").path(0).path("actual_s").isNull()).isTrue();
    assertThat(report.path("groups").path(1).path("actual_usd").isNull()).isTrue();
  }

  @Test
  void crashedRunIsNotFinished() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.until(20);
    }
    assertThat(inProcessCli.run("report").out())
        .contains(
            " crashed\n The controller has stopped. Results up to that point",
            "best: trial 4 with acc 0.41 after epoch 1",
            "not yet");
    JsonNode report = inProcessCli.run("report", "--json").json();
    assertThat(report.path("event").asString()).isEqualTo("crashed");
    assertThat(report.path("exit").isNull()).isTrue();
    assertThat(report.path("leases").path(1).path("released").isNull()).isTrue();
    assertThat(report.path("instances_left").asInt(-1)).isZero();
  }

  @Test
  void runInProgressReportsResultsSoFar() {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta())) {
      run.until(8);
      assertThat(inProcessCli.run("report").out())
          .contains(" running, group 1 of 2\n The run is still in progress. Results so far:\n");
      JsonNode report = inProcessCli.run("report", "--json").json();
      assertThat(report.path("event").asString()).isEqualTo("running");
      assertThat(report.path("instances_left").isNull()).isTrue();
      assertThat(report.path("leases").path(0).path("usd").asDouble()).isEqualTo(0.06);
    }
  }
}
