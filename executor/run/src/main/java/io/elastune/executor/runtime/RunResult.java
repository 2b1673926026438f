package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.RunState;
import java.util.Optional;

/**
 * The result of a run: its final state, and whether the journal has it.
 *
 * @param state the final state
 * @param journalError why the journal does not contain the end of the run: it could not be written,
 *     so the run was stopped; empty normally
 */
public record RunResult(RunState state, Optional<String> journalError) {}
