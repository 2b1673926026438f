package io.elastune.executor.journal;

import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;

/**
 * Follows the steps of a run from another process: decides the events in its journal again as its
 * controller appends them.
 */
public final class JournalFollower {
  private final RunFolder folder;
  private final JournalReplay replay;

  private JournalFollower(RunFolder folder, JournalReplay replay) {
    this.folder = folder;
    this.replay = replay;
  }

  /**
   * Starts before the first event of a run.
   *
   * @throws CannotResumeException if this version cannot decide its events again
   * @throws JournalException if the journal cannot be read
   */
  public static JournalFollower open(RunFolder folder) {
    try (SqlConnection connection = Journal.open(folder.journal(), true);
        RunReader reader = RunReader.open(folder)) {
      return new JournalFollower(folder, JournalReplay.start(connection, reader.meta()));
    }
  }

  /** The definition that applies to the next event. */
  public RunDefinition definition() {
    return replay.definition();
  }

  /**
   * Passes on the steps that were journaled since the previous call.
   *
   * @return the state at the latest time in the journal
   */
  public RunState poll(StepConsumer steps) {
    try (SqlConnection connection = Journal.open(folder.journal(), true);
        RunReader reader = RunReader.open(folder)) {
      Instant seen = reader.progress().at();
      replay.advance(connection, steps);
      RunState state = replay.state();
      return seen.isAfter(state.now()) ? state.at(seen) : state;
    }
  }
}
