package io.elastune.cli.json;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RehearsedRun;
import io.elastune.executor.rehearsal.Summary;
import io.elastune.executor.rehearsal.Unused;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the document of {@code rehearse --json}. */
public final class RehearsalJson {
  private RehearsalJson() {}

  /** Returns the document; {@code tookS} is the duration of the rehearsal in seconds. */
  public static ObjectNode of(Estimate estimate, Summary summary, double tookS) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("seeds", summary.runs());
    document.put("on_time", summary.onTime());
    document.put("in_budget", summary.inBudget());
    compare(document.putObject("completion_s"), estimate.completionS(), summary.completionS());
    compare(document.putObject("cost_usd"), estimate.costUsd(), summary.costUsd());
    summary.unused().ifPresent(unused -> unused(document.putObject("budget_unused_usd"), unused));
    ObjectNode broken = document.putObject("broken");
    summary.broken().forEach((promise, count) -> broken.put(promise.word(), count));
    ObjectNode exits = document.putObject("exits");
    summary.exits().forEach((code, runs) -> exits.put(Integer.toString(code), runs));
    ObjectNode faults = document.putObject("faults");
    summary.mishaps().forEach((mishap, count) -> faults.put(mishap.word(), count));
    document.put("runs_per_second", summary.runs() / tookS);
    document.put("events_per_second", summary.events() / tookS);
    ArrayNode failing = document.putArray("failing_seeds");
    summary.failing().stream().mapToLong(RehearsedRun::seed).forEach(failing::add);
    return document;
  }

  private static void unused(ObjectNode node, Unused unused) {
    put(node, "mean", unused.meanUsd());
    put(node, "least", unused.leastUsd());
    put(node, "stopped_mean", unused.stoppedMeanUsd());
    put(node, "stopped_most", unused.stoppedMostUsd());
  }

  private static void compare(ObjectNode node, Distribution predicted, Distribution executed) {
    node.put("predicted", predicted.mean());
    put(node, "executed", executed.mean());
    node.put("predicted_p95", predicted.p95());
    put(node, "executed_p95", executed.p95());
  }

  /** Puts null for NaN, which JSON does not have: no run was completed. */
  private static void put(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }
}
