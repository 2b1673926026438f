package io.elastune.executor.journal;

import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.Map;

/**
 * The state of a run when its journal was last written, from deciding all its events again.
 *
 * @param definition the latest definition of the run
 * @param state the state at the latest time in the journal
 * @param meta the metadata of the run
 * @param unconfirmed number of commands that may not have been executed
 */
public record ReplayedRun(RunDefinition definition, RunState state, RunMeta meta, int unconfirmed) {
  /**
   * Reads the journal in {@code folder}. The result is reliable only for the holder of the run's
   * lock.
   *
   * @throws CannotResumeException if this version cannot resume it
   * @throws JournalException if it cannot be read
   */
  public static ReplayedRun read(RunFolder folder) {
    try (SqlConnection connection = Journal.open(folder.journal(), true);
        RunReader reader = RunReader.open(folder)) {
      Map<String, String> rows = reader.meta();
      RunMeta meta = RunMeta.of(rows);
      JournalReplay replay = JournalReplay.start(connection, rows);
      replay.advance(connection, (event, before, stepResult) -> {});
      RunState state = replay.state();
      Instant seen = reader.progress().at();
      return new ReplayedRun(
          replay.definition(),
          seen.isAfter(state.now()) ? state.at(seen) : state,
          meta,
          unconfirmed(connection));
    }
  }

  private static int unconfirmed(SqlConnection connection) {
    return connection
        .list(
            "SELECT count(*) FROM command WHERE done_ms IS NULL AND seq >="
                + " (SELECT coalesce(max(seq), 0) FROM event WHERE kind = ?)",
            row -> row.getInt(1),
            WireNames.event(RunEvent.Resumed.class))
        .get(0);
  }
}
