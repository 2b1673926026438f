package io.elastune.cli.json;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts the prediction of an asynchronous search to JSON. */
public final class RungsJson {
  private RungsJson() {}

  /** Adds the expected tasks of each rung, and when the search closes. */
  public static void add(
      ObjectNode document, Problem problem, Estimate estimate, List<Distribution> tasks) {
    RungRule rule = problem.workload().rungs().orElseThrow();
    document.put("closing_s", estimate.groups().get(0).endS().mean());
    ArrayNode rungs = document.putArray("rungs");
    for (int rung = 0; rung < tasks.size(); rung++) {
      rungs
          .addObject()
          .put("rung", RungRule.name(rung))
          .put("unit", rule.target(rung))
          .putObject("tasks")
          .put("mean", tasks.get(rung).mean())
          .put("p5", tasks.get(rung).p5())
          .put("p95", tasks.get(rung).p95());
    }
  }
}
