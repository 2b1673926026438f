package io.elastune.cli.json;

import io.elastune.cli.input.AssumedNumbers;
import io.elastune.cli.input.FoundPlan;
import io.elastune.cli.input.Inputs;
import io.elastune.cli.input.ProfileSummary;
import io.elastune.cli.input.SpendingGuards;
import io.elastune.cli.text.CheckpointNote;
import io.elastune.cli.text.RungTasksLine;
import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.LimitViolation;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.simulator.RankModel;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the document of {@code plan --json}. */
public final class PlanJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PlanJson() {}

  /** Returns the document of a plan that meets the limits. */
  public static ObjectNode found(FoundPlan answer, boolean withFrontier) {
    PlanResult.Found found = answer.found();
    ObjectNode document = start(answer.inputs(), true, found.plan().hold());
    answer
        .choice()
        .ifPresentOrElse(
            number -> document.put("choice", number), () -> document.putNull("choice"));
    putBrackets(document, answer.problem(), found.plan());
    document.set("plan", rows(answer.problem(), found.plan()));
    document.set("estimate", EstimateJson.estimate(found.estimate()));
    EstimateJson.put(
        document, "spending_guard_usd", SpendingGuards.usd(answer.problem(), found.plan()));
    putSpot(document, answer);
    addRungs(document, answer.problem(), found);
    document.set("baselines", baselines(found.baselines()));
    document.set("optimum", optimum(found.optimum()));
    document.set(
        "knee", answer.knee().<JsonNode>map(knee -> knee(answer, knee)).orElseGet(NODES::nullNode));
    document.set(
        "frontier", frontier(answer.problem(), withFrontier ? found.frontier() : List.of()));
    provenance(document, answer.inputs());
    put(document, "assumed", answer.assumed().names(found.plan()));
    put(document, "remarks", found.remarks());
    return document;
  }

  /** Returns the document for a job whose limits no plan meets. */
  public static ObjectNode infeasible(
      Inputs inputs, PlanResult.Infeasible result, boolean withFrontier) {
    return infeasible(inputs, result, withFrontier, OptionalInt.empty());
  }

  /**
   * Returns the document for a job whose limits no plan meets.
   *
   * @param trials the most trials that meet them, if known
   */
  public static ObjectNode infeasible(
      Inputs inputs, PlanResult.Infeasible result, boolean withFrontier, OptionalInt trials) {
    ObjectNode document = start(inputs, false, false);
    document.putArray("plan");
    ArrayNode violated = document.putArray("violated");
    result.violated().forEach(limitViolation -> violated.add(limitViolation.limit().word()));
    nearest(document, result, trials);
    document.putNull("estimate");
    document.set("baselines", baselines(result.baselines()));
    document.putNull("optimum");
    document.set(
        "frontier",
        inputs
            .problem()
            .map(problem -> frontier(problem, withFrontier ? result.frontier() : List.of()))
            .orElseGet(NODES::arrayNode));
    provenance(document, inputs);
    put(document, "assumed", assumed(inputs, result));
    put(document, "remarks", result.remarks());
    return document;
  }

  /** Returns the assumed numbers of all plans on the frontier. */
  private static List<String> assumed(Inputs inputs, PlanResult.Infeasible result) {
    return inputs.problem().stream()
        .map(problem -> new AssumedNumbers(inputs, problem))
        .flatMap(
            assumedNumbers ->
                result.frontier().stream().flatMap(p -> assumedNumbers.names(p.plan()).stream()))
        .distinct()
        .toList();
  }

  /** Adds the expected tasks of each rung of an asynchronous search, and when it closes. */
  private static void addRungs(ObjectNode document, Problem problem, PlanResult.Found found) {
    if (RungTasksLine.isPredicted(problem, RankModel.ASSUMED)) {
      document.setAll(
          JsonDocuments.of(
              RungsDocument.of(
                  problem, found.estimate(), RungTasksLine.tasks(problem, found.plan()))));
    }
  }

  private static void put(ObjectNode document, String name, List<String> texts) {
    ArrayNode array = document.putArray(name);
    texts.forEach(array::add);
  }

  /** Returns the document for a job with a group that no offer can hold. */
  public static ObjectNode impossible(Inputs inputs, PlanResult.Impossible result) {
    PlanResult.Nearest nowhere =
        new PlanResult.Nearest(OptionalDouble.empty(), OptionalDouble.empty(), true);
    return infeasible(
        inputs,
        new PlanResult.Infeasible(
            List.of(), nowhere, List.of(), List.of(), result.reason().lines().toList()),
        false);
  }

  private static ObjectNode start(Inputs inputs, boolean feasible, boolean hold) {
    return NODES
        .objectNode()
        .put("job", inputs.job().value().name())
        .put("feasible", feasible)
        .put("hold", hold)
        .put("policy", inputs.job().value().policy().word());
  }

  /** Adds by how much the limits are missed, and the nearest limits that a plan can meet. */
  private static void nearest(
      ObjectNode document, PlanResult.Infeasible result, OptionalInt trials) {
    ObjectNode by = document.putObject("fails_by");
    EstimateJson.put(by, "deadline_s", by(result, LimitViolation.Limit.DEADLINE));
    EstimateJson.put(by, "budget_usd", by(result, LimitViolation.Limit.BUDGET));
    ObjectNode nearest = document.putObject("nearest");
    EstimateJson.put(nearest, "deadline_s", result.nearest().deadlineS());
    EstimateJson.put(nearest, "budget_usd", result.nearest().budgetUsd());
    nearest.put("together", result.nearest().together());
    if (trials.isPresent()) {
      nearest.put("trials", trials.getAsInt());
    } else {
      nearest.putNull("trials");
    }
  }

  private static OptionalDouble by(PlanResult.Infeasible result, LimitViolation.Limit limit) {
    return result.violated().stream()
        .filter(limitViolation -> limitViolation.limit() == limit)
        .mapToDouble(LimitViolation::increase)
        .findFirst();
  }

  /** Adds what spot capacity saves and risks against the same plan on demand. */
  private static void putSpot(ObjectNode document, FoundPlan answer) {
    answer
        .spot()
        .get()
        .ifPresent(
            comparison ->
                document
                    .putObject("spot")
                    .put("saved_usd", comparison.savedUsd())
                    .put("saved_share", comparison.savedShare())
                    .put("on_time", comparison.spot().onTime())
                    .put("on_time_on_demand", comparison.onDemand().onTime())
                    .put("preemptions_per_hour", comparison.preemptionsPerHour()));
  }

  /** Adds how several chains use instances. */
  private static void putBrackets(ObjectNode node, Problem problem, Plan plan) {
    if (problem.workload().chains().size() > 1) {
      node.put("brackets", (plan.shared() ? Brackets.SHARED : Brackets.SEPARATE).word());
    }
  }

  /** Returns the plan's groups with their allocations. */
  public static ArrayNode rows(Problem problem, Plan plan) {
    ArrayNode rows =
        rows(
            problem.workload(),
            plan,
            name ->
                problem
                    .offer(name)
                    .orElseThrow(() -> new IllegalStateException("no offer " + name)));
    Map<String, Integer> intervals = new CheckpointNote(problem, plan).intervals();
    rows.forEach(
        row -> {
          Integer every = intervals.get(row.get("group").asString());
          if (every != null) {
            ((ObjectNode) row).put("checkpoint_every", every);
          }
        });
    if (problem.policy().choosesSizes()) {
      rows.forEach(
          row ->
              ((ObjectNode) row)
                  .putNull("gpus_per_trial")
                  .putNull("trials_per_gpu")
                  .putNull("waves"));
    }
    return rows;
  }

  /** Returns one row for each trial group, as {@link #rows(Problem, Plan)} does. */
  public static ArrayNode rows(Workload workload, Plan plan, Function<String, Offer> offers) {
    ArrayNode rows = NODES.arrayNode();
    for (TrialGroup group : workload.groups()) {
      Allocation allocation = plan.of(group);
      Offer offer = offers.apply(allocation.offer());
      ObjectNode row = rows.addObject();
      boolean barrier = workload.rungs().isEmpty();
      boolean known = barrier || group.name().equals(Workload.OPEN);
      row.put("group", group.name())
          .put("trials", known ? group.trials() : null)
          .put("units", barrier ? group.units() : null)
          .put("offer", allocation.offer())
          .put("instances", allocation.instances())
          .put("gpus_per_trial", allocation.gpusPerTrial())
          .put("trials_per_gpu", allocation.trialsPerGpu())
          .put("waves", barrier ? SlotCounts.waves(offer, allocation, group.trials()) : null);
      if (allocation.spare() > 0) {
        row.put("spare", allocation.spare());
      }
    }
    return rows;
  }

  private static ArrayNode baselines(List<Baseline> baselines) {
    ArrayNode nodes = NODES.arrayNode();
    for (Baseline baseline : baselines) {
      nodes
          .addObject()
          .put("name", baseline.name())
          .put("feasible", baseline.feasible())
          .put("completion_s", baseline.completionS())
          .put("cost_usd", baseline.costUsd());
    }
    return nodes;
  }

  private static ObjectNode optimum(Optimum optimum) {
    return NODES
        .objectNode()
        .put("cost_usd", optimum.costUsd())
        .put("gap", optimum.gap())
        .put("bound_usd", optimum.boundUsd())
        .put("proven", optimum.proven());
  }

  /** Returns the knee, with the differences to the planner's own plan. */
  private static ObjectNode knee(FoundPlan answer, FrontierPoint knee) {
    Estimate own = answer.best().orElse(answer.found()).estimate();
    return NODES
        .objectNode()
        .put("choice", answer.number(knee.plan()).orElseThrow())
        .put("completion_s", knee.completionS())
        .put("cost_usd", knee.costUsd())
        .put("saved_s", own.completionS().mean() - knee.completionS())
        .put("extra_usd", knee.costUsd() - own.costUsd().mean());
  }

  private static ArrayNode frontier(Problem problem, List<FrontierPoint> points) {
    ArrayNode nodes = NODES.arrayNode();
    for (FrontierPoint point : points) {
      ObjectNode node =
          nodes
              .addObject()
              .put("choice", nodes.size())
              .put("completion_s", point.completionS())
              .put("cost_usd", point.costUsd())
              .put("on_time", point.onTime())
              .put("hold", point.plan().hold());
      putBrackets(node, problem, point.plan());
      node.set("plan", rows(problem, point.plan()));
    }
    return nodes;
  }

  private static void provenance(ObjectNode document, Inputs inputs) {
    OfferCatalog catalog = inputs.catalog().value();
    ObjectNode prices =
        document.putObject("prices").put("source", catalog.source()).put("date", catalog.date());
    if (!catalog.notes().isEmpty()) {
      put(prices, "notes", catalog.notes());
    }
    if (!catalog.priceDates().isEmpty()) {
      ObjectNode dates = prices.putObject("dates");
      catalog.priceDates().forEach(dates::put);
    }
    ProfileSummary profile = ProfileSummary.of(inputs.profiles());
    document
        .putObject("profile")
        .put("source", profile.source())
        .put("date", profile.at().toString())
        .put("samples", profile.samples());
    ObjectNode configurations = document.putObject("configurations");
    Search search = inputs.job().value().search();
    for (Search.Origin origin : Search.Origin.values()) {
      configurations.put(
          origin.word(),
          IntStream.rangeClosed(1, inputs.workload().trials())
              .filter(trial -> search.origin(trial) == origin)
              .count());
    }
  }
}
