package io.elastune.executor.journal;

import io.elastune.executor.decision.model.LeaseState;
import java.time.Instant;
import java.util.Optional;

/** One lease, from request to confirmed end. */
public record LeaseRow(
    String lease,
    String offer,
    @Column("grp") String group,
    LeaseState.Phase phase,
    double usdPerHour,
    Instant requested,
    Optional<Instant> running,
    Optional<Instant> ready,
    Optional<Instant> released,
    Optional<Instant> terminated,
    double usd) {}
