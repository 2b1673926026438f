package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Durations;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Renders the predicted completion time and cost of a plan with its deadline and budget. */
public final class PlanTotals {
  /** Ratio of the implied budget to the approved p95 cost. */
  private static final double IMPLIED_BUDGET = 1.25;

  private final Limits limits;
  private final Estimate estimate;
  private final String mark;

  /**
   * Creates the totals of an estimate.
   *
   * @param assumed whether it depends on assumed values
   */
  public PlanTotals(Limits limits, Estimate estimate, boolean assumed) {
    this.limits = limits;
    this.estimate = estimate;
    this.mark = assumed ? "~" : "";
  }

  /** Returns the implied budget in USD of a plan whose job has no budget. */
  public static double impliedBudgetUsd(Estimate estimate) {
    return IMPLIED_BUDGET * estimate.costUsd().p95();
  }

  /** Returns two lines with aligned limits. */
  public List<String> lines() {
    String finish = predicted(estimate.completionS(), Durations::format);
    String cost = predicted(estimate.costUsd(), UsdFormat::format);
    int width = Math.max(finish.length(), cost.length());
    String line = "%-6s %-" + width + "s  %s";
    return List.of(
        String.format(line, "finish", finish, deadline()).stripTrailing(),
        String.format(line, "cost", cost, budget()).stripTrailing());
  }

  private String predicted(Distribution distribution, DoubleFunction<String> format) {
    String mean = mark + format.apply(distribution.mean());
    return estimate.samples() > 1
        ? mean + " (95% within " + mark + format.apply(distribution.p95()) + ")"
        : mean;
  }

  private String deadline() {
    OptionalDouble deadline = limits.deadlineS();
    return deadline.isEmpty()
        ? "no deadline"
        : column("deadline", Durations.format(deadline.getAsDouble()))
            + "on time "
            + PercentFormat.probability(estimate.onTime());
  }

  private String budget() {
    OptionalDouble budget = limits.budgetUsd();
    return budget.isEmpty()
        ? "no budget; implied budget "
            + RoundUpFormat.usd(impliedBudgetUsd(estimate))
            + " (1.25 × p95 cost)"
        : column("budget", UsdFormat.format(budget.getAsDouble()))
            + "in budget "
            + PercentFormat.probability(estimate.inBudget().orElse(1));
  }

  private static String column(String name, String value) {
    return String.format("%-8s %-8s  ", name, value);
  }
}
