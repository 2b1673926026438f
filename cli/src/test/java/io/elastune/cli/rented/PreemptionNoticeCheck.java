package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.text.DecisionText;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests a spot run that receives a preemption notice for one of its two instances. Its trials write
 * no checkpoint before their end unless requested.
 *
 * @param run the location and instance type
 * @param units the units of its trials, one second each: more than the notice takes to arrive
 */
public record PreemptionNoticeCheck(CloudRun run, int units) {
  /** Preempts instances. */
  public interface NoticeSender {
    /** Sends the preemption notice for the instance of a lease. */
    void giveNotice(String lease);
  }

  /** Checks that no unit is trained twice: the trial saves in time and continues elsewhere. */
  public void check(CloudCommand elastune, NoticeSender cloud) throws Exception {
    String job = run.spotJob(units).write(elastune.folder().resolve("job")).toString();
    RunningCommand runningCommand =
        elastune.start("run", job, "--json", "-y").awaitOutput("\"state\":\"ready\"");
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
          .hasSize(2 * units);
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
