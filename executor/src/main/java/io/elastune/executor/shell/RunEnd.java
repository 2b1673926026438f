package io.elastune.executor.shell;

import io.elastune.executor.core.RunState;
import java.util.Optional;

/**
 * How a run has ended.
 *
 * @param state the last
 * @param unwritten why the journal does not show the end: it could not be written any more, upon
 *     which the run was stopped
 */
public record RunEnd(RunState state, Optional<String> unwritten) {}
