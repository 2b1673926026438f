package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.text.DecisionText;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests a spot run that receives a preemption notice for one of its two instances. Its trials write
 * no checkpoint before their end unless requested.
 *
 * @param run the location and instance type
 */
public record PreemptionNoticeCheck(CloudRun run) {
  private static final int UNITS = 4;
  private static final int POLL_MS = 50;

  /** Unit 3 takes until a trial has been stopped, however late the notice arrives. */
  private static final String SCRIPT =
      """
      . ./lib.sh
      stopped=
      trap 'stopped=yes' TERM
      unit=$from
      while [ "$unit" -lt "$to" ]; do
        while [ "$unit" -eq 2 ] && [ -z "$stopped" ] && [ ! -e "$MOVED" ]; do sleep 0.1; done
        if [ -n "$stopped" ]; then
          save "$unit"
          : >"$MOVED"
          exit 75
        fi
        unit=$((unit + 1))
        [ "$unit" -lt "$to" ] || save "$unit"
        report "$unit" 0.5
      done
      """;

  /** Preempts instances. */
  public interface NoticeSender {
    /** Sends the preemption notice for the instance of a lease. */
    void giveNotice(String lease);
  }

  /** Checks that no unit is trained twice: the trial saves in time and continues elsewhere. */
  public void check(CloudCommand elastune, NoticeSender cloud) throws Exception {
    Path moved = elastune.folder().resolve("moved");
    String job =
        run.spotJob(UNITS)
            .script("moves.sh", SCRIPT, ", gpus: 1, envs: {MOVED: " + moved + "}")
            .write(elastune.folder().resolve("job"))
            .toString();
    RunningCommand runningCommand =
        elastune.start("run", job, "--json", "-y").awaitOutput("\"state\":\"ready\"");
    awaitReports(runningCommand, CloudRun.awaitReport(elastune, runningCommand));
    String lease = ready(runningCommand);
    cloud.giveNotice(lease);
    CommandResult commandResult = runningCommand.awaitExit().assertExit(0);

    assertThat(commandResult.lastLine().path("instances_left").asInt(-1)).isZero();
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), commandResult.run()))) {
      assertThat(journal.leases()).hasSize(3);
      assertThat(
              journal.reports().stream()
                  .map(reportRow -> reportRow.trial() + " " + reportRow.unit()))
          .as("each unit of each trial, once")
          .doesNotHaveDuplicates()
          .hasSize(2 * UNITS);
      assertThat(journal.attempts()).as("one trial continues elsewhere").hasSize(3);
      assertThat(journal.decisions())
          .filteredOn(decisionRow -> decisionRow.decision().equals("notice"))
          .extracting(row -> DecisionText.of(commandResult.run(), row.reason(), row.numbers()))
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith(lease + ": ")
          .endsWith("; 1 trial writes a checkpoint and moves to another instance");
      assertThat(journal.decisions().stream().map(DecisionRow::decision)).doesNotContain("lost");
    }
  }

  /** Waits until both trials have reported the unit before the one that takes long. */
  private static void awaitReports(RunningCommand runningCommand, RunFolder run) throws Exception {
    try (RunReader journal = RunReader.open(run)) {
      while (journal.reports().stream().filter(row -> row.unit() == 2).count() < 2) {
        assertThat(runningCommand.process().waitFor(POLL_MS, TimeUnit.MILLISECONDS)).isFalse();
      }
    }
  }

  private static String ready(RunningCommand runningCommand) throws Exception {
    List<String> leases =
        Files.readAllLines(runningCommand.out()).stream()
            .map(line -> JsonMapper.shared().readTree(line))
            .filter(line -> line.path("state").asString("").equals("ready"))
            .map(line -> line.path("lease").asString())
            .toList();
    return leases.get(0);
  }
}
