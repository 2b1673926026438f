package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A run on two instances, then one. The controller is killed in the first group, and the instance
 * is preempted in the second one.
 *
 * @param end the result of the resumed controller
 * @param lost the lease of the preempted instance
 */
public record SurvivedRun(CommandResult end, RunFolder folder, String lost) {
  private static final int FIRST_GROUP = 8;
  private static final int LAST_UNIT = 16;
  private static final int POLL_MS = 50;

  /**
   * Trains like trial.sh, but unit 3 takes until the controller was killed, and unit 13 until it
   * has noticed the preemption, however long these take.
   */
  private static final String SCRIPT =
      """
      . ./lib.sh
      unit=$from
      while [ "$unit" -lt "$to" ]; do
        sleep "$PAUSE"
        while [ "$unit" -eq 2 ] && [ ! -e "$EVENTS/killed" ]; do sleep 0.1; done
        while [ "$unit" -eq 12 ] && [ ! -e "$EVENTS/preempted" ]; do sleep 0.1; done
        unit=$((unit + 1))
        [ "$unit" -lt "$to" ] || save "$unit"
        report "$unit" 0.5
      done
      """;

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
    Path events = Files.createDirectories(elastune.folder().resolve("events"));
    String envs = ", gpus: 1, envs: {PAUSE: \"0.2\", EVENTS: " + events + "}";
    String setup = ", setup: test -f lib.sh && echo prepared with $PAUSE";
    Path job =
        run.job()
            .search(
                "{algorithm: sha, trials: 2, eta: 2, ",
                "min: " + FIRST_GROUP + ", max: " + LAST_UNIT)
            .script("survives.sh", SCRIPT, envs + setup + more)
            // Two instances are needed for the predicted 16 minutes; units take less than a second.
            .profile("[{gpus: 1, seconds: 60}]")
            .with("deadline", "1100s")
            .write(elastune.folder().resolve("job"));
    RunningCommand first = elastune.start("run", job.toString(), "--json", "-y");
    RunFolder folder = CloudRun.awaitReport(elastune, first.awaitOutput("\"state\":\"ready\""));
    first.process().destroyForcibly().waitFor();
    Files.createFile(events.resolve("killed"));
    RunningCommand second =
        elastune
            .start("resume", folder.run(), "--json", "-y")
            .awaitOutput("\"decision\":\"start group 2\"");
    while (leases.get().size() > 1) { // the other one of the first group is being released
      assertThat(second.process().isAlive()).as("the resumed controller").isTrue();
      Thread.sleep(POLL_MS);
    }
    String lost = leases.get().get(0);
    preempt.accept(lost);
    awaitLoss(folder, second);
    Files.createFile(events.resolve("preempted"));
    return new SurvivedRun(second.awaitExit().assertExit(0), folder, lost);
  }

  private static void awaitLoss(RunFolder folder, RunningCommand controller) throws Exception {
    try (RunReader journal = RunReader.open(folder)) {
      while (journal.decisions().stream().noneMatch(row -> row.decision().equals("lost"))) {
        assertThat(controller.process().waitFor(POLL_MS, TimeUnit.MILLISECONDS)).isFalse();
      }
    }
  }

  /** Checks that all units of all trials were reported, on two and one instances. */
  public void check() throws Exception {
    assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(folder)) {
      assertThat(journal.reports().stream().map(row -> row.trial() + " " + row.unit()).distinct())
          .as("all units of all trials")
          .hasSize(2 * FIRST_GROUP + LAST_UNIT - FIRST_GROUP);
      assertThat(journal.decisions().stream().map(DecisionRow::decision)).contains("lost");
      assertThat(journal.groups()).extracting(GroupRow::instances).containsExactly(2, 1);
    }
    assertThat(folder.setupLog(lost)).content().contains("prepared with 0.2");
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
