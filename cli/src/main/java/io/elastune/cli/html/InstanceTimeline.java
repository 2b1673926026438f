package io.elastune.cli.html;

import io.elastune.cli.inspect.AttemptWidths;
import io.elastune.cli.inspect.TrialBrackets;
import io.elastune.cli.svg.SvgPlot;
import io.elastune.cli.text.Plural;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Draws every instance from its request to its termination, and the trials that ran on it. */
final class InstanceTimeline {
  private static final double LANE = 9;
  private static final double MARGIN = 8;
  private static final double LEAST_ROW = 22;

  /** Height in pixels for the groups' names above the rows. */
  private static final double NAMES = 16;

  private final RunHistory runHistory;
  private final TrialBrackets brackets;
  private final AttemptWidths widths;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Optional<Integer> best;

  InstanceTimeline(RunHistory runHistory) {
    this.runHistory = runHistory;
    this.brackets = TrialBrackets.of(runHistory.run());
    this.widths = runHistory.widths();
    this.best = runHistory.run().best().map(TrialRow::trial);
    runHistory.run().leases().forEach(leaseRow -> rows.put(leaseRow.lease(), new Row(leaseRow)));
    if (isDetailed()) {
      runHistory.attempts().forEach(this::place);
    }
  }

  /** Returns whether attempts are drawn. */
  boolean isDetailed() {
    return runHistory.attempts().size() <= RunHistory.MOST_ATTEMPTS;
  }

  private void place(AttemptRow attemptRow) {
    List<String> leases = attemptRow.places().stream().map(GpuSlot::lease).distinct().toList();
    rows.values().stream()
        .filter(row -> leases.contains(row.leaseRow.lease()))
        .forEach(row -> row.add(attemptRow));
  }

  /** An instance, with one lane per concurrent attempt. */
  private final class Row {
    private final LeaseRow leaseRow;
    private final List<List<AttemptRow>> lanes = new ArrayList<>();

    Row(LeaseRow leaseRow) {
      this.leaseRow = leaseRow;
    }

    /** Adds an attempt to the first lane that is free at its start. */
    void add(AttemptRow attemptRow) {
      for (List<AttemptRow> lane : lanes) {
        AttemptRow last = lane.get(lane.size() - 1);
        if (runHistory.at(last.ended()) <= runHistory.at(attemptRow.started())) {
          lane.add(attemptRow);
          return;
        }
      }
      lanes.add(new ArrayList<>(List.of(attemptRow)));
    }

    double height() {
      return Math.max(LEAST_ROW, lanes.size() * LANE + MARGIN);
    }
  }

  String svg() {
    double height = NAMES + rows.values().stream().mapToDouble(Row::height).sum();
    SvgPlot svgPlot = PageChart.plot(height, runHistory.end(), 0, 1);
    svgPlot.timeAxis();
    double top = PageChart.TOP + NAMES;
    int number = 0;
    for (Row row : rows.values()) {
      number++;
      svgPlot.rowName(top + row.height() / 2 + 4, "instance " + number);
      instance(svgPlot, row.leaseRow, top, row.height() - 3);
      double laneTop = top + MARGIN / 2 - 1;
      for (List<AttemptRow> lane : row.lanes) {
        for (AttemptRow attemptRow : lane) {
          trial(svgPlot, attemptRow, laneTop);
        }
        laneTop += LANE;
      }
      top += row.height();
    }
    runHistory.run().groups().stream()
        .filter(groupRow -> groupRow.ended().isPresent())
        .forEach(
            groupRow ->
                svgPlot.verticalLine(
                    "mark", runHistory.at(groupRow.ended()), "end of " + groupRow.name()));
    return PageChart.markup(svgPlot, "Instances and trials over time");
  }

  private void instance(SvgPlot svgPlot, LeaseRow leaseRow, double top, double height) {
    double requested = runHistory.at(leaseRow.requested());
    double gone = runHistory.terminatedAt(leaseRow);
    double running = Math.min(gone, runHistory.at(leaseRow.running()));
    double ready = Math.min(gone, runHistory.at(leaseRow.ready()));
    String name = leaseRow.lease() + ", " + leaseRow.offer() + ": ";
    svgPlot.bar(
        "pending",
        requested,
        running,
        top,
        height,
        name + "requested, " + took(requested, running));
    svgPlot.bar("boot", running, ready, top, height, name + "booting, " + took(running, ready));
    svgPlot.bar("held", ready, gone, top, height, name + "ready for " + took(ready, gone));
  }

  private void trial(SvgPlot svgPlot, AttemptRow attemptRow, double top) {
    double from = runHistory.at(attemptRow.started());
    double to = runHistory.at(attemptRow.ended());
    boolean failed = attemptRow.exitCode().isPresent() && attemptRow.exitCode().getAsInt() != 0;
    String style =
        failed ? "failed" : best.equals(Optional.of(attemptRow.trial())) ? "best" : "trial";
    String words =
        String.format(
            Locale.ROOT,
            "trial %d%s, group %s, %s %d to %d, %s: %s",
            attemptRow.trial(),
            brackets.of(attemptRow.trial()).map(it -> ", bracket " + it).orElse(""),
            attemptRow.group(),
            runHistory.run().meta().unit(),
            attemptRow.from(),
            attemptRow.to(),
            widths
                .of(attemptRow)
                .map(width -> width + (width.equals("1") || width.contains("/") ? " GPU" : " GPUs"))
                .orElseGet(() -> Plural.counted(attemptRow.places().size(), "worker")),
            took(from, to));
    svgPlot.bar(style, from, to, top, LANE - 1.5, words);
  }

  private static String took(double from, double to) {
    return Durations.format(to - from);
  }
}
