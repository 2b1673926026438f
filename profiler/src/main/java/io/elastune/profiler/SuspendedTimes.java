package io.elastune.profiler;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.RunReader;
import java.time.Instant;
import java.util.List;

/**
 * The times in which the controller of a run did not run, because its process or its machine was
 * suspended. Nothing shows how long units took that trials trained, or did not train, meanwhile.
 */
final class SuspendedTimes {
  private final List<DecisionRow> suspensions;

  SuspendedTimes(RunReader run) {
    suspensions =
        run.decisions().stream().filter(row -> row.kind() == DecisionKind.SUSPENDED).toList();
  }

  /** Returns whether there was any. */
  boolean isEmpty() {
    return suspensions.isEmpty();
  }

  /** Returns whether an attempt ran in such a time. */
  boolean include(AttemptRow attempt) {
    return suspensions.stream()
        .anyMatch(
            row -> {
              Instant begin = Seconds.after(row.at(), -row.numbers().getOrDefault("seconds", 0.0));
              return attempt.started().isBefore(row.at())
                  && attempt.ended().filter(end -> end.isBefore(begin)).isEmpty();
            });
  }
}
