package io.elastune.cli.text;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.FoundPlan;
import io.elastune.planner.api.FrontierPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Renders the time–cost frontier, one line per plan. */
final class FrontierTable {
  private final Problem problem;
  private final String mark;

  /**
   * A table for {@code problem}.
   *
   * @param mark prefix of every predicted number
   */
  FrontierTable(Problem problem, String mark) {
    this.problem = problem;
    this.mark = mark;
  }

  /** Returns the table of a feasible job, with the numbers that {@code --choice} accepts. */
  List<String> lines(FoundPlan answer) {
    return lines(
        answer.found().frontier(),
        Optional.of(answer.found().plan()),
        answer.knee().map(FrontierPoint::plan),
        true);
  }

  /** Returns the table of a job whose limits no plan meets. */
  List<String> lines(List<FrontierPoint> frontier) {
    return lines(frontier, Optional.empty(), Optional.empty(), false);
  }

  private List<String> lines(
      List<FrontierPoint> frontier, Optional<Plan> shown, Optional<Plan> knee, boolean numbered) {
    boolean timed = problem.limits().deadlineS().isPresent();
    TextTable table = numbered ? new TextTable().right("choice") : new TextTable();
    table.left("finish").left("cost");
    if (timed) {
      table.left("on time");
    }
    table.left("plan");
    for (FrontierPoint point : frontier) {
      String plan = PlanSummaryLine.plan(problem, point.plan());
      List<Object> cells = new ArrayList<>();
      if (numbered) {
        cells.add(frontier.indexOf(point) + 1);
      }
      cells.add(mark + Durations.format(point.completionS()));
      cells.add(mark + UsdFormat.format(point.costUsd()));
      if (timed) {
        cells.add(PercentFormat.probability(point.onTime()));
      }
      cells.add(
          plan
              + (shown.filter(point.plan()::equals).isPresent() ? "   <- the plan above" : "")
              + (knee.filter(point.plan()::equals).isPresent() ? "   <- knee" : ""));
      table.row(cells.toArray());
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "Time–cost frontier, fastest first: each plan is cheaper and slower than the one before.");
    lines.add("Finish and cost are means. Plan: instances × GPUs per trial, for each group.");
    if (numbered) {
      lines.add(
          "Select a plan by its number: 'plan --choice N' shows it, 'run --choice N' starts it;"
              + " --choice knee selects the knee.");
    }
    lines.addAll(table.lines());
    return lines;
  }
}
