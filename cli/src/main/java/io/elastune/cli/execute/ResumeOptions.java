package io.elastune.cli.execute;

import io.elastune.core.config.Overrides;
import java.util.Optional;

/**
 * How to resume a run.
 *
 * @param limits a new deadline or budget, if given
 * @param code which code it uses from now on; empty to ask if the code has changed
 * @param retryFailed whether failed trials are retried
 */
public record ResumeOptions(Overrides limits, Optional<CodeChoice> code, boolean retryFailed) {}
