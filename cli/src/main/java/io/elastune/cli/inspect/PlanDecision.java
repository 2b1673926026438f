package io.elastune.cli.inspect;

import io.elastune.cli.text.TimeBreakdown;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.ReasonColumns;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The first decision of a run: its plan. It is made before the journal exists, so it is stored in
 * the plan's field {@code decided}, one entry per reason.
 */
public final class PlanDecision {
  /** The field of the plan that holds it. */
  public static final String FIELD = "decided";

  /** A shorter time is the rounding error of a difference. */
  private static final double ROUNDING_S = 1e-6;

  private static final String REASON = "reason";
  private static final String NUMBERS = "numbers";

  private PlanDecision() {}

  /**
   * Returns the entries to store for an approved plan: its prediction, and where its time goes.
   *
   * @param others further reasons by text, such as the effects of faults
   * @param mark prefix of numbers that depend on assumed values; empty if all were measured
   */
  public static List<Map<String, Object>> of(
      Estimate estimate,
      Contributions contributions,
      Map<String, Map<String, Double>> others,
      String mark) {
    TimeBreakdown use = new TimeBreakdown(contributions, mark);
    String prediction =
        "approved: finish %s, cost %s"
            .formatted(
                mark + Durations.format(estimate.completionS().mean()),
                mark + UsdFormat.format(estimate.costUsd().mean()));
    List<Map<String, Object>> entries = new ArrayList<>();
    entries.add(entry(prediction, predicted(estimate)));
    if (!contributions.byGroup().isEmpty()) {
      entries.add(entry("where the time goes: " + use.shares(), spent(contributions)));
      entries.add(entry("what would help: " + use.savings(), savings(contributions)));
    }
    others.forEach((text, numbers) -> entries.add(entry(text, numbers)));
    return entries;
  }

  private static Map<String, Object> entry(String reason, Map<String, Double> numbers) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put(REASON, reason);
    entry.put(NUMBERS, numbers);
    return entry;
  }

  private static Map<String, Double> predicted(Estimate estimate) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("completion_s", estimate.completionS().mean());
    numbers.put("cost_usd", estimate.costUsd().mean());
    numbers.put("on_time", estimate.onTime());
    estimate.inBudget().ifPresent(fraction -> numbers.put("in_budget", fraction));
    return numbers;
  }

  private static Map<String, Double> spent(Contributions contributions) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("queue_s", sum(contributions, GroupTime::queueS));
    numbers.put("boot_s", sum(contributions, GroupTime::bootS));
    numbers.put("startup_s", sum(contributions, GroupTime::startupS));
    numbers.put("training_s", sum(contributions, GroupTime::trainingS));
    numbers.put("straggling_s", sum(contributions, GroupTime::stragglingS));
    return numbers;
  }

  private static Map<String, Double> savings(Contributions contributions) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Saving saving : contributions.wouldHelp()) {
      numbers.put(
          "without_" + saving.cause().word().replace('-', '_') + "_s", rounded(saving.soonerS()));
    }
    return numbers;
  }

  private static double sum(Contributions contributions, ToDoubleFunction<GroupTime> part) {
    return rounded(contributions.byGroup().stream().mapToDouble(part).sum());
  }

  /** Returns 0 for what differences of equal times leave over. */
  private static double rounded(double seconds) {
    return Math.abs(seconds) < ROUNDING_S ? 0 : seconds;
  }

  /** Returns the decisions of a run, preceded by those stored in {@code plan}. */
  static List<DecisionRow> prependTo(
      List<DecisionRow> decisionRows, String plan, Optional<Instant> began) {
    List<DecisionRow> all = new ArrayList<>();
    if (began.isPresent() && !plan.isEmpty()) {
      for (JsonNode entry : JsonMapper.shared().readTree(plan).path(FIELD)) {
        String text =
            JsonNodeFactory.instance.arrayNode().add(entry.path(REASON).asString()).toString();
        String numbers = entry.path(NUMBERS).toString();
        ReasonColumns reason = new ReasonColumns(ReasonCode.PLAN_APPROVED, text);
        all.add(new DecisionRow(began.get(), DecisionKind.PLAN, "", reason, numbers));
      }
    }
    all.addAll(decisionRows);
    return all;
  }
}
