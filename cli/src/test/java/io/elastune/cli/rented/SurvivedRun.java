package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A run on four instances, then two, then one. The controller is killed in the first group, and an
 * instance is preempted in the second one.
 *
 * @param end the result of the resumed controller
 * @param lost the lease of the preempted instance
 */
public record SurvivedRun(CommandResult end, RunFolder folder, String lost) {
  private static final int LAST_UNIT = 16;
  private static final int POLL_MS = 50;

  /**
   * Executes the run.
   *
   * @param more additional fields of the trial
   * @param leases returns the running instances
   * @param preempt preempts one of them
   */
  public static SurvivedRun execute(
      CloudRun run,
      CloudCommand elastune,
      String more,
      Supplier<List<String>> leases,
      Consumer<String> preempt)
      throws Exception {
    Path job =
        run.job()
            .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 4, max: " + LAST_UNIT)
            .trial("1.5", "gpus: 1, setup: test -f lib.sh && echo prepared with $PAUSE" + more)
            .profile("[{gpus: 1, seconds: 15}]")
            .write(elastune.folder().resolve("job"));
    RunningCommand first = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder folder = CloudRun.awaitReport(elastune, first.awaitOutput("\"state\":\"ready\""));
    first.process().destroyForcibly().waitFor();
    RunningCommand second =
        elastune
            .start("resume", folder.run(), "--json", "-y")
            .awaitOutput("\"decision\":\"start group 2\"");
    while (leases.get().size() > 2) { // those of the first group are being released
      assertThat(second.process().isAlive()).as("the resumed controller").isTrue();
      Thread.sleep(POLL_MS);
    }
    String lost = leases.get().get(0);
    preempt.accept(lost);
    return new SurvivedRun(second.awaitExit().assertExit(0), folder, lost);
  }

  /** Checks that all units of all trials were reported, on four, two and one instances. */
  public void check() throws Exception {
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(folder)) {
      assertThat(journal.reports().stream().map(row -> row.trial() + " " + row.unit()).distinct())
          .as("all units of all trials")
          .hasSize(4 * 4 + 2 * 4 + 8);
      assertThat(journal.decisions().stream().map(DecisionRow::decision)).contains("lost");
      assertThat(journal.groups()).extracting(GroupRow::instances).containsExactly(4, 2, 1);
    }
    assertThat(folder.setupLog(lost)).content().contains("prepared with 1.5");
  }

  /** Returns the name of the last checkpoint of the best trial below the folder of the store. */
  public String lastCheckpoint() {
    try (RunReader journal = RunReader.open(folder)) {
      TrialRow best =
          journal.trials().stream()
              .filter(row -> row.checkpoint() == LAST_UNIT)
              .findFirst()
              .orElseThrow();
      return folder.run() + "/trial-" + best.trial() + "/" + LAST_UNIT + ".tar";
    }
  }
}
