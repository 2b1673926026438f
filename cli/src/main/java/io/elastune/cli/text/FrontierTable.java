package io.elastune.cli.text;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
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

  /** Returns the lines; {@code shown} is the plan on the screen above. */
  List<String> lines(List<FrontierPoint> frontier, Optional<Plan> shown) {
    boolean timed = problem.limits().deadlineS().isPresent();
    TextTable table = new TextTable().left("finish").left("cost");
    if (timed) {
      table.left("on time");
    }
    table.left("plan");
    for (FrontierPoint point : frontier) {
      String plan = PlanSummaryLine.plan(problem, point.plan());
      boolean chosen = shown.filter(point.plan()::equals).isPresent();
      List<String> cells = new ArrayList<>();
      cells.add(mark + Durations.format(point.completionS()));
      cells.add(mark + UsdFormat.format(point.costUsd()));
      if (timed) {
        cells.add(PercentFormat.probability(point.onTime()));
      }
      cells.add(chosen ? plan + "   <- the plan above" : plan);
      table.row(cells.toArray());
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "Time–cost frontier, fastest first: each plan is cheaper and slower than the one before.");
    lines.add("Finish and cost are means. Plan: instances × GPUs per trial, for each group.");
    lines.addAll(table.lines());
    return lines;
  }
}
