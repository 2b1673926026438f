package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Runs trials that fail in different ways, except for one, and checks each result against
 * docs/trial-protocol.md. One run covers all of them, because the trial that hangs takes long.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultyTrialsIT {
  /** The expected status, number of failures and attempts, and fault messages of a trial. */
  private record Expected(
      TrialState.Status status, int failures, int attempts, List<String> faults) {
    static Expected done(String... faults) {
      return new Expected(TrialState.Status.COMPLETED, 0, 1, List.of(faults));
    }

    static Expected doneOnRetry(String... faults) {
      return new Expected(TrialState.Status.COMPLETED, 1, 2, List.of(faults));
    }
  }

  private static final Map<String, Expected> TRIALS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("well", Expected.done()),
              Map.entry(
                  "crash",
                  new Expected(
                      TrialState.Status.FAILED,
                      2,
                      2,
                      List.of("exit 3", "dropped after 2 failed attempts"))),
              Map.entry( // words in the output are no measurement
                  "quoted",
                  new Expected(
                      TrialState.Status.FAILED,
                      2,
                      2,
                      List.of("exit 5 (no disk is full", "dropped after 2 failed attempts"))),
              Map.entry("hang", Expected.doneOnRetry("stopped as hung after unit 1")),
              Map.entry("rubbish", Expected.done("cannot be read")),
              Map.entry("disorder", Expected.done("reported unit 1 after unit 2: report ignored")),
              Map.entry("overrun", Expected.done("reported unit 4 beyond its limit 3: stopped")),
              Map.entry("stubborn", Expected.done("reported unit 4 beyond its limit 3: stopped")),
              Map.entry("torn", Expected.doneOnRetry("left a torn checkpoint")),
              Map.entry("bare", Expected.done("no checkpoint for unit 3")),
              Map.entry("early", Expected.done()),
              Map.entry("late", Expected.done()),
              Map.entry(
                  "endless", Expected.done("reported unit 2 after it was done at unit 1: stopped")),
              Map.entry("nan", Expected.done()),
              Map.entry("other", Expected.done("lacks the metric acc")),
              Map.entry("silent", Expected.doneOnRetry("exited 0 without the report for unit 3")),
              Map.entry("again", new Expected(TrialState.Status.COMPLETED, 0, 2, List.of()))));

  @TempDir Path folder;

  @Test
  void handlesFaultsAsDocumented() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    String values = String.join(", ", TRIALS.keySet());
    Path job =
        new TinyJob("faulty")
            .search(
                "{algorithm: grid, ", "max: 3", "does: {type: choice, values: [" + values + "]}")
            .with("trial", "{run: exec sh faulty.sh, envs: {PAUSE: \"0.1\"}, max_failures: 1}")
            .instanceTypes("hall")
            .profile("[{gpus: 1, seconds: 0.1}]")
            .with("deadline", "10m")
            .write(folder.resolve("jobs"));

    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json").assertExit(0);

    JsonNode end = run.lastLine();
    assertThat(end.at("/best/config/does").asString()).isEqualTo("well");
    assertThat(end.at("/trials/completed").asInt()).isEqualTo(TRIALS.size() - 2);
    assertThat(end.at("/trials/failed").asInt()).isEqualTo(2);
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    Leftovers.assertNone(elastune.home(), run.run());
    String report = elastune.inProcess("report", run.run()).assertExit(0).out();
    JsonNode document = elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      check(journal, report, document);
    }
  }

  private static void check(RunReader journal, String report, JsonNode document) {
    SoftAssertions softly = new SoftAssertions();
    List<FaultRow> faultRows = journal.faults();
    for (TrialRow trialRow : journal.trials()) {
      String does = String.valueOf(trialRow.config().get("does"));
      Expected expected = TRIALS.get(does);
      softly.assertThat(trialRow.status()).as(does).isEqualTo(expected.status());
      softly.assertThat(trialRow.failures()).as(does).isEqualTo(expected.failures());
      softly.assertThat(trialRow.attempts()).as(does).isEqualTo(expected.attempts());
      List<String> messages =
          faultRows.stream()
              .filter(faultRow -> faultRow.trial() == trialRow.trial())
              .map(FaultRow::message)
              .toList();
      softly.assertThat(messages.isEmpty()).as(does).isEqualTo(expected.faults().isEmpty());
      for (String message : expected.faults()) {
        softly.assertThat(messages).as(does).anyMatch(said -> said.contains(message));
        softly
            .assertThat(report.lines())
            .as(does)
            .anyMatch(l -> l.contains("trial " + trialRow.trial() + ": ") && l.contains(message));
        softly
            .assertThat(document.path("faults").valueStream())
            .as(does)
            .anyMatch(
                fault ->
                    fault.path("trial").asInt() == trialRow.trial()
                        && fault.path("message").asString().contains(message));
      }
    }
    softly.assertAll();
  }
}
