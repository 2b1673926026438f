package io.elastune.cli.json;

import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import java.util.OptionalDouble;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts estimates to JSON. */
public final class EstimateJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private EstimateJson() {}

  /** Returns the document of {@code simulate --json}. */
  public static ObjectNode simulated(Estimate estimate) {
    ObjectNode document = NODES.objectNode();
    document.set("estimate", estimate(estimate));
    ArrayNode groups = document.putArray("groups");
    for (GroupEstimate group : estimate.groups()) {
      ObjectNode node = groups.addObject().put("group", group.group());
      node.putObject("end_s")
          .put("mean", group.endS().mean())
          .put("p50", group.endS().p50())
          .put("p95", group.endS().p95());
      node.put("cost_usd", group.costUsd().mean());
    }
    return document;
  }

  /** Returns the estimate of a plan. */
  public static ObjectNode estimate(Estimate estimate) {
    ObjectNode node = NODES.objectNode();
    node.set("completion_s", distribution(estimate.completionS()));
    node.set("cost_usd", distribution(estimate.costUsd()));
    node.put("on_time", estimate.onTime());
    put(node, "in_budget", estimate.inBudget());
    node.put("samples", estimate.samples());
    node.putObject("sampling_error")
        .put("completion_s", estimate.samplingError().completionS())
        .put("cost_usd", estimate.samplingError().costUsd());
    CostBreakdown by = estimate.costBy();
    node.putObject("cost_by")
        .put("compute", by.compute())
        .put("idle", by.idle())
        .put("provisioning", by.provisioning())
        .put("data", by.data())
        .put("other", by.other());
    return node;
  }

  /** Puts a number, or null if it is empty. */
  public static void put(ObjectNode node, String name, OptionalDouble number) {
    if (number.isPresent()) {
      node.put(name, number.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  private static ObjectNode distribution(Distribution distribution) {
    return NODES
        .objectNode()
        .put("mean", distribution.mean())
        .put("p5", distribution.p5())
        .put("p50", distribution.p50())
        .put("p95", distribution.p95());
  }
}
