package io.elastune.cli.json;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.BudgetRemaining;
import io.elastune.executor.rehearsal.RehearsalSummary;
import io.elastune.executor.rehearsal.RehearsedRun;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the document of {@code rehearse --json}. */
public final class RehearsalJson {
  private RehearsalJson() {}

  /**
   * Returns the document.
   *
   * @param predicted the prediction with the budget that applied, even if the job has none
   * @param tookS duration of the rehearsal in seconds
   */
  public static ObjectNode of(
      Estimate estimate, Estimate predicted, RehearsalSummary rehearsalSummary, double tookS) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("seeds", rehearsalSummary.runs());
    document.put("on_time", rehearsalSummary.onTime());
    document.put("in_budget", rehearsalSummary.inBudget());
    ObjectNode shares = document.putObject("promised");
    shares.put("on_time", predicted.onTime());
    shares.put("in_budget", predicted.inBudget().orElse(1));
    compare(
        document.putObject("completion_s"), estimate.completionS(), rehearsalSummary.completionS());
    compare(document.putObject("cost_usd"), estimate.costUsd(), rehearsalSummary.costUsd());
    rehearsalSummary
        .budgetRemaining()
        .ifPresent(
            budgetRemaining -> unused(document.putObject("budget_unused_usd"), budgetRemaining));
    ObjectNode broken = document.putObject("broken");
    rehearsalSummary
        .violations()
        .forEach((invariant, count) -> broken.put(invariant.word(), count));
    ObjectNode exits = document.putObject("exits");
    rehearsalSummary.exits().forEach((code, runs) -> exits.put(Integer.toString(code), runs));
    ObjectNode faults = document.putObject("faults");
    rehearsalSummary
        .faultCounts()
        .forEach((faultKind, count) -> faults.put(faultKind.word(), count));
    document.put("runs_per_second", rehearsalSummary.runs() / tookS);
    document.put("events_per_second", rehearsalSummary.events() / tookS);
    ArrayNode failing = document.putArray("failing_seeds");
    rehearsalSummary.failingRuns().stream().mapToLong(RehearsedRun::seed).forEach(failing::add);
    return document;
  }

  private static void unused(ObjectNode node, BudgetRemaining budgetRemaining) {
    put(node, "mean", budgetRemaining.meanUsd());
    put(node, "least", budgetRemaining.leastUsd());
    put(node, "stopped_mean", budgetRemaining.stoppedMeanUsd());
    put(node, "stopped_most", budgetRemaining.stoppedMostUsd());
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
