package io.elastune.cli.inspect;

import io.elastune.cli.text.DecisionText;
import io.elastune.executor.journal.RunReader;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the JSON document of one decision, as in {@code explain --json}. */
final class DecisionDocument {
  private DecisionDocument() {}

  /** Returns the document of one decision with all its numbers. */
  static ObjectNode of(RunRecord run, RunReader.DecisionRow decisionRow) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("at_s", run.atS(decisionRow));
    node.put("decision", decisionRow.decision())
        .put("reason", DecisionText.of(run.run(), decisionRow.reason(), decisionRow.numbers()));
    ObjectNode numbers = node.putObject("numbers");
    decisionRow.numbers().forEach((name, number) -> put(numbers, name, number));
    return node;
  }

  private static void put(ObjectNode numbers, String name, double number) {
    if (Double.isFinite(number)) {
      numbers.put(name, number);
    } else {
      numbers.putNull(name);
    }
  }
}
