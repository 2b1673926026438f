package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.executor.journal.TrialRow;
import java.util.Optional;

/** The trial from which another one continues, as part of several documents. */
record TrialParent(
    @JsonPropertyDescription("Its number.") int trial,
    @JsonPropertyDescription("Units of its checkpoint; 0 for none.") int unit) {
  /** Returns the parent of a trial; empty if it has none. */
  static Optional<TrialParent> of(TrialRow trialRow) {
    return trialRow.parent().stream()
        .mapToObj(parent -> new TrialParent(parent, trialRow.parentUnit().orElse(0)))
        .findFirst();
  }
}
