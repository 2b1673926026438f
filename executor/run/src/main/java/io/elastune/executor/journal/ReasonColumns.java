package io.elastune.executor.journal;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.Reason;

/**
 * The reason for a decision or for the outcome of the run.
 *
 * @param detailsText its details as JSON, which most callers do not parse
 */
public record ReasonColumns(@Column("reason") Reason code, @Column("details") String detailsText) {
  /** The reason with its details. */
  public DecisionReason reason() {
    try {
      return new DecisionReason(code, JournalJson.strings(detailsText));
    } catch (IllegalArgumentException e) {
      throw JournalException.corrupt(String.valueOf(e.getMessage()));
    }
  }
}
