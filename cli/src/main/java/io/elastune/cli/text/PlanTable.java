package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.inputs.AssumedNumbers;
import java.util.function.DoubleFunction;

/** Renders the allocation, time and cost of every group of a plan. */
final class PlanTable {
  private final Problem problem;
  private final Plan plan;
  private final Estimate estimate;
  private final AssumedNumbers assumedNumbers;
  private final String unit;

  /**
   * Creates the table of a plan and its estimate.
   *
   * @param unit what the resource of a trial is counted in
   */
  PlanTable(
      Problem problem, Plan plan, Estimate estimate, AssumedNumbers assumedNumbers, String unit) {
    this.problem = problem;
    this.plan = plan;
    this.estimate = estimate;
    this.assumedNumbers = assumedNumbers;
    this.unit = unit;
  }

  /** Returns the table with a row for every group. */
  TextTable table() {
    String spread = varies() ? " p50/p95" : "";
    TextTable table =
        new TextTable()
            .left("group")
            .left("trials")
            .left(Plural.of(unit))
            .left("gpus/trial")
            .left("instances")
            .left("time" + spread)
            .left("cost" + spread);
    for (int i = 0; i < estimate.groups().size(); i++) {
      row(table, problem.workload().groups().get(i), estimate.groups().get(i));
    }
    return table;
  }

  private void row(TextTable table, TrialGroup group, GroupEstimate predicted) {
    Allocation allocation = plan.of(group);
    String mark = assumedNumbers.isAssumed(allocation) ? "~" : "";
    table.row(
        group.name(),
        RungTasksLine.trials(group.name(), group.trials()),
        RungTasksLine.units(group.name(), group.units()),
        size(allocation),
        allocation.instances()
            + " × "
            + ShortOfferNames.shortest(problem, allocation.offer())
            + (allocation.spare() == 0 ? "" : ", " + allocation.spare() + " spare"),
        mark + pair(predicted.timeS(), Durations::format),
        mark + pair(predicted.costUsd(), UsdFormat::format));
  }

  private String size(Allocation allocation) {
    if (problem.policy().choosesSizes()) {
      return problem.policy().word();
    }
    return allocation.trialsPerGpu() == 1
        ? String.valueOf(allocation.gpusPerTrial())
        : "1/" + allocation.trialsPerGpu();
  }

  private boolean varies() {
    return estimate.samples() > 1;
  }

  private String pair(Distribution distribution, DoubleFunction<String> format) {
    return varies()
        ? format.apply(distribution.p50()) + " / " + format.apply(distribution.p95())
        : format.apply(distribution.mean());
  }
}
