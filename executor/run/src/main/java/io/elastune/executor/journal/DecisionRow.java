package io.elastune.executor.journal;

import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import java.time.Instant;
import java.util.Map;

/**
 * One decision with its reason.
 *
 * @param subject the name of the group that starts; else empty
 * @param numbersText the numbers that it is based on, as JSON
 */
public record DecisionRow(
    Instant at,
    DecisionKind kind,
    String subject,
    ReasonColumns reasonColumns,
    String numbersText) {
  /** The decision as shown on screens and in JSON output, e.g. {@code start group 2}. */
  public String decision() {
    return kind.label(subject);
  }

  /** The reason with its details. */
  public DecisionReason reason() {
    return reasonColumns.reason();
  }

  /** The numbers that it is based on, by name. */
  public Map<String, Double> numbers() {
    return JournalJson.numbers(numbersText);
  }
}
