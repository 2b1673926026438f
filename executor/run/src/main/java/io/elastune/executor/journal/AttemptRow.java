package io.elastune.executor.journal;

import io.elastune.executor.decision.model.GpuSlot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One attempt with the slots of its workers; {@code ended} is empty while it runs. */
public record AttemptRow(
    String attempt,
    int trial,
    @Column("grp") String group,
    @Column("from_unit") int from,
    @Column("to_unit") int to,
    @Column("leases") List<GpuSlot> places,
    Instant started,
    Optional<Instant> ended,
    OptionalInt exitCode) {}
