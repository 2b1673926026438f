package io.elastune.cli.text;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.FoundPlan;
import io.elastune.planner.api.FrontierPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time–cost frontier, with a row for each plan.
 *
 * @param notes what the table shows
 */
public record FrontierTable(List<String> notes, TextTable table) {
  public FrontierTable {
    notes = List.copyOf(notes);
  }

  /**
   * Returns the table of a feasible job, with the numbers that {@code --choice} accepts.
   *
   * @param mark prefix of every predicted number
   */
  static FrontierTable of(FoundPlan answer, String mark) {
    return of(
        answer.problem(),
        mark,
        answer.found().frontier(),
        Optional.of(answer.found().plan()),
        answer.knee().map(FrontierPoint::plan),
        true);
  }

  /**
   * Returns the table of a job whose limits no plan meets.
   *
   * @param mark prefix of every predicted number
   */
  static FrontierTable of(Problem problem, String mark, List<FrontierPoint> frontier) {
    return of(problem, mark, frontier, Optional.empty(), Optional.empty(), false);
  }

  private static FrontierTable of(
      Problem problem,
      String mark,
      List<FrontierPoint> frontier,
      Optional<Plan> shown,
      Optional<Plan> knee,
      boolean numbered) {
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
    List<String> notes = new ArrayList<>();
    notes.add(
        "Time–cost frontier, fastest first: each plan is cheaper and slower than the one before.");
    notes.add("Finish and cost are means. Plan: instances × GPUs per trial, for each group.");
    if (numbered) {
      notes.add(
          "Select a plan by its number: 'plan --choice N' shows it, 'run --choice N' starts it;"
              + " --choice knee selects the knee.");
    }
    return new FrontierTable(notes, table);
  }

  /** Returns the lines of the screen. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(notes);
    lines.addAll(table.lines());
    return lines;
  }
}
