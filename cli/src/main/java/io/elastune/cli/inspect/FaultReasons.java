package io.elastune.cli.inspect;

import io.elastune.cli.text.CheckpointNote;
import io.elastune.cli.text.FaultShare;
import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.SpareComparison;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.inputs.CheckpointIntervals;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Explains the effect of faults on a plan: how often trials save checkpoints, their part of its
 * prediction, and what the plan pays to meet its limits in spite of them. The comparison is the
 * plan that would be selected in the same way without faults.
 */
public final class FaultReasons {
  private final Problem problem;
  private final Plan plan;
  private final PlanFigures figures;
  private final Optional<UnaryOperator<PlanResult.Found>> selection;

  /**
   * Creates the reasons for a plan.
   *
   * @param figures what was simulated of it
   * @param selection returns the plan that is selected as this one was, from a result of the
   *     planner for the problem without faults; empty for a plan that the user has chosen, which
   *     has other reasons than faults
   */
  public FaultReasons(
      Problem problem,
      Plan plan,
      PlanFigures figures,
      Optional<UnaryOperator<PlanResult.Found>> selection) {
    this.selection = selection;
    this.figures = figures;
    this.problem = problem;
    this.plan = plan;
  }

  /**
   * Returns the reasons by their text, with their numbers; only about checkpoints if no rate of
   * faults is stated.
   */
  public Map<String, Map<String, Double>> reasons() {
    Map<String, Map<String, Double>> reasons = new LinkedHashMap<>();
    addCheckpoints(reasons);
    if (!problem.hasFaults()) {
      return reasons;
    }
    addShare(reasons);
    addSpares(reasons);
    selection.flatMap(this::withoutFaults).ifPresent(fragile -> addRobustness(reasons, fragile));
    return reasons;
  }

  private Optional<Plan> withoutFaults(UnaryOperator<PlanResult.Found> selected) {
    PlannerOptions options =
        PlannerOptions.DEFAULT.withBrackets(plan.shared() ? Brackets.SHARED : Brackets.SEPARATE);
    return new Planner(problem.withoutFaults(), options).plan() instanceof PlanResult.Found fragile
        ? Optional.of(selected.apply(fragile).plan())
        : Optional.empty();
  }

  /** Adds how often trials save checkpoints, with the interval of each group. */
  private void addCheckpoints(Map<String, Map<String, Double>> reasons) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    CheckpointIntervals.of(problem, plan)
        .forEach((group, every) -> numbers.put("checkpoint_every_" + group, (double) every));
    new CheckpointNote(problem, plan).line().ifPresent(line -> reasons.put(line, numbers));
  }

  private void addShare(Map<String, Map<String, Double>> reasons) {
    FaultShare share = FaultShare.of(problem, figures, NoteSampling.silent());
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("faults_s", share.seconds());
    numbers.put("faults_usd", share.usd());
    reasons.put("faults: %s and %s".formatted(share.time(), share.cost()), numbers);
  }

  /** Adds what spare instances gain and cost. */
  private void addSpares(Map<String, Map<String, Double>> reasons) {
    SpareComparison.of(problem, plan, figures, NoteSampling.silent())
        .ifPresent(
            comparison -> {
              Map<String, Double> numbers = new LinkedHashMap<>();
              numbers.put("spare_usd", comparison.usd());
              numbers.put("spare_on_time", comparison.with().onTime());
              numbers.put("without_spare_on_time", comparison.without().onTime());
              reasons.put(comparison.line(), numbers);
            });
  }

  /** Adds the price of robustness, if the cheaper plan without faults misses a limit with them. */
  private void addRobustness(Map<String, Map<String, Double>> reasons, Plan fragile) {
    Estimate predicted = figures.compared(NoteSampling.silent());
    Estimate other = figures.other(problem, fragile, NoteSampling.silent());
    double extraUsd = predicted.costUsd().mean() - other.costUsd().mean();
    double confidence = problem.limits().confidence();
    boolean late = other.onTime() < confidence;
    boolean expensive = other.inBudget().orElse(1) < confidence;
    List<String> changes = changes(fragile);
    if (changes.isEmpty() || extraUsd <= 0 || !(late || expensive)) {
      return;
    }
    double earlierS = other.completionS().mean() - predicted.completionS().mean();
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("extra_usd", extraUsd);
    numbers.put("earlier_s", earlierS);
    numbers.put("without_on_time", other.onTime());
    reasons.put(
        "robust against faults for %s more%s: %s; otherwise it would be %s"
            .formatted(
                UsdFormat.format(extraUsd),
                earlierS > 0 ? ", ending " + Durations.format(earlierS) + " earlier" : "",
                String.join(", ", changes),
                late
                    ? "on time in " + PercentFormat.probability(other.onTime()) + " of runs"
                    : "in budget in "
                        + PercentFormat.probability(other.inBudget().orElse(1))
                        + " of runs"),
        numbers);
  }

  /** Returns the groups whose allocation differs from that of the plan without faults. */
  private List<String> changes(Plan fragile) {
    List<String> changes = new ArrayList<>();
    for (TrialGroup group : problem.workload().groups()) {
      Allocation own = plan.of(group);
      Allocation other = fragile.of(group);
      if (!own.equals(other)) {
        changes.add("group " + group.name() + " on " + text(own) + " instead of " + text(other));
      }
    }
    return changes;
  }

  private static String text(Allocation allocation) {
    return allocation.instances()
        + " x "
        + allocation.offer()
        + " ("
        + allocation.gpusPerTrial()
        + " GPU/trial"
        + (allocation.spare() == 0 ? "" : ", " + allocation.spare() + " spare")
        + ")";
  }
}
