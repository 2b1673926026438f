package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Renders the predicted completion time and cost of a plan with its deadline and budget. */
public final class PlanTotals {
  private final Limits limits;
  private final Limits asked;
  private final Optional<String> guard;
  private final Estimate estimate;
  private final String mark;

  /**
   * Creates the totals of an estimate.
   *
   * @param limits the limits that are left at this moment
   * @param asked the limits of the job
   * @param assumed whether it depends on assumed values
   * @param guard the spending guard; empty if the job has a budget or nothing is charged
   */
  public PlanTotals(
      Limits limits, Limits asked, Estimate estimate, boolean assumed, Optional<String> guard) {
    this.limits = limits;
    this.asked = asked;
    this.guard = guard;
    this.estimate = estimate;
    this.mark = assumed ? "~" : "";
  }

  /** Returns two lines with aligned limits, and another one if the run may have no result. */
  public List<String> lines() {
    String finish = predicted(estimate.completionS(), Durations::format);
    String cost = predicted(estimate.costUsd(), UsdFormat::format);
    int width = Math.max(finish.length(), cost.length());
    String line = "%-6s %-" + width + "s  %s";
    List<String> lines = new ArrayList<>();
    lines.add(String.format(line, "finish", finish, deadline()).stripTrailing());
    lines.add(String.format(line, "cost", cost, budget()).stripTrailing());
    if (estimate.withoutResult() > 0) {
      lines.add(
          "result probability %s: otherwise the search ends before any trial has a result"
              .formatted(PercentFormat.probability(1 - estimate.withoutResult())));
    }
    return lines;
  }

  private String predicted(Distribution distribution, DoubleFunction<String> format) {
    String mean = mark + format.apply(distribution.mean());
    // Rare expensive samples can raise the mean above p95: then 95% are within the mean, too.
    double within = Math.max(distribution.mean(), distribution.p95());
    return estimate.samples() > 1
        ? mean + " (95% within " + mark + format.apply(within) + ")"
        : mean;
  }

  private String deadline() {
    OptionalDouble deadline = limits.deadlineS();
    return deadline.isEmpty()
        ? "no deadline"
        : column("deadline", left(deadline, asked.deadlineS(), Durations::format))
            + "on time "
            + PercentFormat.probability(estimate.onTime());
  }

  private String budget() {
    OptionalDouble budget = limits.budgetUsd();
    return budget.isEmpty()
        ? "no budget set" + guard.map(text -> ": " + text).orElse("")
        : column("budget", left(budget, asked.budgetUsd(), UsdFormat::format))
            + "in budget "
            + PercentFormat.probability(estimate.inBudget().orElse(1));
  }

  /** Returns what is left of a limit, and the limit itself if a part of it is used. */
  private static String left(
      OptionalDouble left, OptionalDouble whole, DoubleFunction<String> format) {
    String text = format.apply(left.orElse(0));
    String all = whole.isPresent() ? format.apply(whole.getAsDouble()) : text;
    return text.equals(all) ? text : text + " left of " + all;
  }

  private static String column(String name, String value) {
    return String.format("%-8s %-8s  ", name, value);
  }
}
