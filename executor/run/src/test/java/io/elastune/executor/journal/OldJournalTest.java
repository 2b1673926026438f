package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads the journal of an asynchronous search that a build wrote before such searches were
 * re-planned (ec8ae22b, in the simulated environment). A build that decides such a run differently
 * refuses to resume it; then this test expects that.
 */
class OldJournalTest {
  private static final String RUN = "old-asha-20261127-m87j";

  @TempDir Path home;

  @Test
  void finishedRunIsReadAsItEnded() throws Exception {
    ReplayedRun run = ReplayedRun.read(journal());

    assertThat(run.state().ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(run.state().trials().get(2).status()).isEqualTo(TrialState.Status.COMPLETED);
    assertThat(run.unconfirmed()).isZero();
  }

  @Test
  void interruptedRunIsResumedAndKeepsItsPlan() throws Exception {
    ReplayedRun run =
        ReplayedRun.read(
            journal("DELETE FROM event WHERE seq > 9", "DELETE FROM command WHERE seq > 9"));

    assertThat(run.definition().planning()).isEmpty();
    assertThat(run.state().attempts()).containsOnlyKeys("2-closing-2");
    RunCore core = new RunCore(run.definition());
    RunState state = run.state();
    for (int second = 1; second < 600; second++) {
      RunEvent event =
          second == 1
              ? new RunEvent.Resumed(1, state.now().plusSeconds(1))
              : new RunEvent.Ticked(state.now().plusSeconds(1));
      var step = core.step(state, event);
      state = step.state();
      assertThat(step.commands()).doesNotHaveAnyElementsOfTypes(Command.Replan.class);
    }
  }

  @Test
  void runThatIsDecidedDifferentlyIsRefused() throws Exception {
    RunFolder folder = journal("UPDATE command SET body = replace(body, '\"to\":2', '\"to\":3')");

    assertThatThrownBy(() -> ReplayedRun.read(folder))
        .isInstanceOf(CannotResumeException.class)
        .hasMessage(
            "its journal, written by Elastune ec8ae22b, would have been decided differently by this"
                + " version (event 9)");
  }

  private RunFolder journal(String... changes) throws Exception {
    RunFolder folder = RunFolder.of(home, RUN);
    folder.create();
    try (InputStream file = getClass().getResourceAsStream("asha-without-replanning.sql");
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.journal());
        Statement statement = connection.createStatement()) {
      String all = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      for (String one : all.split(";\n\n", -1)) {
        statement.execute(one);
      }
      for (String change : changes) {
        statement.execute(change);
      }
    }
    return folder;
  }
}
