package io.elastune.cli.json;

import io.elastune.core.estimate.Estimate;
import java.util.OptionalDouble;
import tools.jackson.databind.node.ObjectNode;

/** Converts estimates to JSON. */
public final class EstimateJson {
  private EstimateJson() {}

  /** Returns the estimate of a plan. */
  public static ObjectNode estimate(Estimate estimate) {
    return JsonDocuments.of(EstimateDocument.of(estimate));
  }

  /** Puts a number, or null if it is empty. */
  public static void put(ObjectNode node, String name, OptionalDouble number) {
    if (number.isPresent()) {
      node.put(name, number.getAsDouble());
    } else {
      node.putNull(name);
    }
  }
}
