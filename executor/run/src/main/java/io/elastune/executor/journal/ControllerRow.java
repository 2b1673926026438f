package io.elastune.executor.journal;

import java.time.Instant;

/** A process that executes, or executed, the run. */
public record ControllerRow(long pid, Instant started) {}
