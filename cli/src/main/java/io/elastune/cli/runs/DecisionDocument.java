package io.elastune.cli.runs;

import io.elastune.cli.screen.DecisionReason;
import io.elastune.executor.journal.RunReader;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the JSON document of one decision, as in {@code explain --json}. */
final class DecisionDocument {
  private DecisionDocument() {}

  /** Returns the document of one decision with all its numbers. */
  static ObjectNode of(RunRecord run, RunReader.Decision decision) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("at_s", run.atS(decision));
    node.put("decision", decision.decision())
        .put("reason", DecisionReason.of(run.run(), decision.kind(), decision.reason()));
    ObjectNode numbers = node.putObject("numbers");
    decision.numbers().forEach((name, number) -> put(numbers, name, number));
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
