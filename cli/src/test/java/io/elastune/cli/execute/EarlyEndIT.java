package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Runs a trial that reports that it needs no more training. */
@Execution(ExecutionMode.CONCURRENT)
class EarlyEndIT {
  /**
   * Trial 3 is the best and is done at unit 1; the others have the metric 0.1 times their number.
   */
  private static final String SCRIPT =
      """
      . ./lib.sh
      trial=$(field trial)
      unit=$from
      while [ "$unit" -lt "$to" ]; do
        unit=$((unit + 1))
        save "$unit"
        if [ "$trial" -eq 3 ]; then
          done_report "$unit" 0.9
          exit 0
        fi
        report "$unit" "0.$trial"
      done
      """;

  @TempDir Path folder;

  @Test
  void trialThatEndsEarlyKeepsItsRank() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path job =
        new TinyJob("early")
            .fourTrials()
            .script("early.sh", SCRIPT, "")
            .write(folder.resolve("jobs"));

    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json").assertExit(0);

    JsonNode end = run.lastLine();
    assertThat(end.at("/best/trial").asInt()).isEqualTo(3);
    assertThat(end.at("/best/metric").asDouble()).isEqualTo(0.9);
    assertThat(end.at("/best/ended_early").asInt()).isEqualTo(1);
    assertThat(end.at("/trials/ended_early").asInt()).isEqualTo(1);
    assertThat(end.at("/trials/failed").asInt()).isZero();
    assertThat(elastune.inProcess("report", run.run()).assertExit(0).out())
        .contains("after epoch 1, where it ended early", "1 ended early");
    assertThat(elastune.inProcess("explain", run.run()).assertExit(0).out())
        .contains("early end", "trial 3 needs no more training after unit 1");
    checkJournal(elastune, run.run());
    Leftovers.assertNone(elastune.home(), run.run());
  }

  private static void checkJournal(LauncherProcess elastune, String run) {
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run))) {
      TrialRow early = journal.trials().get(2);
      assertThat(early.attempts()).isEqualTo(1);
      assertThat(early.checkpoint()).isEqualTo(1);
      assertThat(early.trainedUnits()).isEqualTo(1);
      assertThat(journal.faults()).isEmpty();
      assertThat(journal.attempts())
          .filteredOn(attempt -> attempt.group().equals("2"))
          .extracting(AttemptRow::trial)
          .containsExactly(4);
      assertThat(journal.groups()).extracting(GroupRow::ended).allMatch(Optional::isPresent);
    }
  }
}
