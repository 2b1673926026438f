package io.elastune.executor.decision.model;

import java.time.Instant;

/**
 * A program that waits for the next attempt of its trial on the GPUs of the last one, unless others
 * have needed them.
 *
 * @param since when the last attempt ended
 * @param trialsPerGpu the trials that could share each GPU with it
 */
public record WaitingProgram(Instant since, int trialsPerGpu) {}
