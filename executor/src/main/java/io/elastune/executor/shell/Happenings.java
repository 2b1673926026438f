package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import java.util.Map;

/** Lets time pass for a run, and brings what happens in it, one event after the other. */
public interface Happenings {
  /**
   * The next event. Waits for it; that time has passed is an event too.
   *
   * @param state what the run has come to
   */
  RunEvent next(RunState state);

  /** What the run's journal is to keep of it at the end, by name. */
  default Map<String, String> remarks() {
    return Map.of();
  }
}
