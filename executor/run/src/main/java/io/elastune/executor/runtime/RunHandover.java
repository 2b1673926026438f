package io.elastune.executor.runtime;

import io.elastune.executor.journal.Journal;
import java.time.Instant;

/**
 * Writes a confirmed run to its journal, for a controller in another process that takes the run
 * over with {@link RunController#takeOver}.
 */
public final class RunHandover {
  private RunHandover() {}

  /**
   * Creates the journal of a new run.
   *
   * @param confirmed when its plan was confirmed; the time of the run counts from then
   */
  public static void create(RunSpec spec, Instant confirmed) {
    spec.folder().create();
    ControllerLock lock =
        ControllerLock.tryAcquire(spec.folder())
            .orElseThrow(() -> new IllegalStateException("a new run has a controller"));
    try (lock) {
      Journal.create(
              spec.folder(),
              spec.definition(),
              confirmed,
              spec.meta().rows(),
              spec.configurations()::of)
          .close();
    }
  }

  /** Adds the definition of a resumed run to its journal. The caller holds the run's lock. */
  public static void reopen(RunSpec spec) {
    Journal.reopen(spec.folder(), spec.definition(), spec.meta().rows(), spec.configurations()::of)
        .close();
  }
}
