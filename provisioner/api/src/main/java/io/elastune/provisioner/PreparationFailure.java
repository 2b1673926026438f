package io.elastune.provisioner;

import java.time.Instant;

/**
 * Why a node cannot become ready.
 *
 * @param step the step that failed
 * @param message the cause; its last lines are the end of the step's output
 */
public record PreparationFailure(PreparationStep step, String message) {
  /** Returns the event that reports this failure on the node of a lease. */
  public CloudEvent.PreparationFailed event(String lease, Instant at) {
    return new CloudEvent.PreparationFailed(lease, step, message, at);
  }
}
