package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.text.DecisionText;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.plan.json.JsonDocuments;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** One decision of a run: {@code explain --json} prints a list of them. */
public record DecisionDocument(
    @JsonPropertyDescription("Seconds since the start of the run.") double atS,
    @JsonPropertyDescription("What was decided.") String decision,
    @JsonPropertyDescription("Why.") String reason,
    @JsonPropertyDescription("The numbers that it is based on; null if infinite.")
        Map<String, OptionalDouble> numbers) {
  static DecisionDocument of(RunRecord run, DecisionRow decisionRow) {
    Map<String, OptionalDouble> numbers = new LinkedHashMap<>();
    decisionRow
        .numbers()
        .forEach((name, number) -> numbers.put(name, JsonDocuments.finite(number)));
    return new DecisionDocument(
        run.atS(decisionRow),
        decisionRow.decision(),
        DecisionText.of(run.run(), decisionRow.reason(), decisionRow.numbers()),
        numbers);
  }
}
