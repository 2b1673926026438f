package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.PlanFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Renders the table of a plan's groups, a rule, and the totals below it. */
public final class EstimateBlock {
  private final Inputs inputs;
  private final Problem problem;
  private final Plan plan;
  private final Estimate estimate;
  private final PlanFigures figures;

  public EstimateBlock(
      Inputs inputs, Problem problem, Plan plan, Estimate estimate, PlanFigures figures) {
    this.figures = figures;
    this.inputs = inputs;
    this.problem = problem;
    this.plan = plan;
    this.estimate = estimate;
  }

  /** Returns the lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(table().lines());
    int width = lines.stream().mapToInt(String::length).max().orElse(0);
    lines.add(" " + "-".repeat(width));
    totals().forEach(line -> lines.add(" " + line));
    return lines;
  }

  /** Returns the table of the groups. */
  TextTable table() {
    String unit = inputs.job().value().search().resource().unit();
    return new PlanTable(problem, plan, estimate, numbers(), unit).table();
  }

  /** Returns the lines below the table. */
  List<String> totals() {
    boolean assumed = !numbers().names(plan).isEmpty();
    Limits asked = inputs.problem().map(Problem::limits).orElse(problem.limits());
    return new PlanTotals(problem.limits(), asked, estimate, assumed, guard()).lines();
  }

  private AssumedNumbers numbers() {
    return new AssumedNumbers(inputs, problem, figures.ranks());
  }

  private Optional<String> guard() {
    OptionalDouble usd = figures.spendingGuardUsd();
    return usd.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "spending guard %s (above 99.9%% of runs, faults included%s)"
                .formatted(
                    RoundUpFormat.usd(usd.getAsDouble()),
                    figures.mayLeaveSpot() ? ", also on demand" : ""));
  }
}
