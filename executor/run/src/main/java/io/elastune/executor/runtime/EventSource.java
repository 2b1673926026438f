package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import java.util.Map;

/** Delivers the events of a run one at a time, including the ticks of its clock. */
public interface EventSource {
  /**
   * Returns the next event, and waits for it if necessary. A clock tick is an event, too.
   *
   * @param state the current state of the run
   */
  RunEvent next(RunState state);

  /** Returns the values to store in the journal at the end of the run, by name. */
  default Map<String, String> journalValues() {
    return Map.of();
  }
}
