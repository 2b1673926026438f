package io.elastune.executor.journal;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** The status of the run; times are empty until they are known. */
public record ProgressRow(
    Instant at,
    RunState.Phase phase,
    double spentUsd,
    double forecastUsd,
    double remainingS,
    Optional<Instant> began,
    Optional<Instant> completed,
    @Column("exit_code") Optional<RunOutcome> outcome,
    Optional<ReasonColumns> reasonColumns,
    OptionalInt instancesLeft) {
  /** Why the run did not complete as planned; empty while nothing is wrong. */
  public Optional<DecisionReason> reason() {
    return reasonColumns.map(ReasonColumns::reason);
  }

  /** The exit code, once finished. */
  public OptionalInt exitCode() {
    return outcome.stream().mapToInt(RunOutcome::exitCode).findFirst();
  }
}
