package io.elastune.cli.estimate;

import io.elastune.cli.json.EstimateJson;
import io.elastune.cli.json.PlanJson;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the document of {@code estimate --json}. */
final class ComparisonJson {
  private ComparisonJson() {}

  static ObjectNode of(AssumedTraining training, List<CaseResult> results) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("job", results.get(0).inputs().job().value().name());
    document.set("assumed", assumed(training));
    ArrayNode estimates = document.putArray("estimates");
    results.forEach(result -> put(estimates.addObject(), result));
    return document;
  }

  private static ObjectNode assumed(AssumedTraining training) {
    ObjectNode assumed = JsonNodeFactory.instance.objectNode();
    ArrayNode times = assumed.putArray("unit_times");
    training
        .unitTimes()
        .forEach(time -> times.addObject().put("gpu", time.gpu()).put("seconds", time.seconds()));
    ArrayNode speedups = assumed.putArray("speedups");
    training
        .speedups()
        .forEach((gpus, speedup) -> speedups.addObject().put("gpus", gpus).put("speedup", speedup));
    EstimateJson.put(assumed, "startup_s", training.startupS());
    assumed.put("trial_cv", training.trialCv());
    return assumed;
  }

  private static void put(ObjectNode node, CaseResult result) {
    ArrayNode infra = node.putArray("infra");
    result.inputs().job().value().resources().infra().forEach(infra::add);
    node.put("market", result.inputs().job().value().resources().market().word());
    EstimateJson.put(node, "deadline_s", result.deadlineS());
    EstimateJson.put(node, "budget_usd", result.budgetUsd());
    node.put("feasible", result.found().isPresent());
    result
        .found()
        .ifPresentOrElse(found -> putFound(node, result, found), () -> putInfeasible(node, result));
  }

  private static void putFound(ObjectNode node, CaseResult result, PlanResult.Found found) {
    node.set("plan", PlanJson.rows(result.inputs().problem().orElseThrow(), found.plan()));
    node.set("estimate", EstimateJson.estimate(found.estimate()));
    node.putNull("nearest");
  }

  private static void putInfeasible(ObjectNode node, CaseResult result) {
    node.putArray("plan");
    node.putNull("estimate");
    result
        .plan()
        .flatMap(
            plan ->
                plan.match(
                    found -> Optional.empty(),
                    infeasible -> Optional.of(infeasible.nearest()),
                    none -> Optional.<PlanResult.Nearest>empty()))
        .ifPresentOrElse(
            nearest -> {
              ObjectNode limits = node.putObject("nearest");
              EstimateJson.put(limits, "deadline_s", nearest.deadlineS());
              EstimateJson.put(limits, "budget_usd", nearest.budgetUsd());
            },
            () -> node.putNull("nearest"));
  }
}
