package io.elastune.cli.page;

import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.RunReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Draws every instance from its request to its termination, and the trials that ran on it. */
final class Timeline {
  /** With more attempts than this, they would be too small to distinguish and are not drawn. */
  static final int MOST_ATTEMPTS = 4000;

  private static final double LANE = 9;
  private static final double MARGIN = 8;
  private static final double LEAST_ROW = 22;

  /** Height in pixels for the groups' names above the rows. */
  private static final double NAMES = 16;

  private final History history;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Optional<Integer> best;

  Timeline(History history) {
    this.history = history;
    this.best = history.run().best().map(RunReader.TrialRow::trial);
    history.run().leases().forEach(leaseRow -> rows.put(leaseRow.lease(), new Row(leaseRow)));
    if (isDetailed()) {
      history.attempts().forEach(this::place);
    }
  }

  /** Returns whether attempts are drawn. */
  boolean isDetailed() {
    return history.attempts().size() <= MOST_ATTEMPTS;
  }

  private void place(RunReader.AttemptRow attemptRow) {
    List<String> leases = attemptRow.places().stream().map(GpuSlot::lease).distinct().toList();
    rows.values().stream()
        .filter(row -> leases.contains(row.leaseRow.lease()))
        .forEach(row -> row.add(attemptRow));
  }

  /** An instance, with one lane per concurrent attempt. */
  private final class Row {
    private final RunReader.LeaseRow leaseRow;
    private final List<List<RunReader.AttemptRow>> lanes = new ArrayList<>();

    Row(RunReader.LeaseRow leaseRow) {
      this.leaseRow = leaseRow;
    }

    /** Adds an attempt to the first lane that is free at its start. */
    void add(RunReader.AttemptRow attemptRow) {
      for (List<RunReader.AttemptRow> lane : lanes) {
        RunReader.AttemptRow last = lane.get(lane.size() - 1);
        if (history.at(last.ended()) <= history.at(attemptRow.started())) {
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
    Plot plot = new Plot("Instances and trials over time", height, history.end(), 0, 1);
    plot.timeAxis();
    double top = Plot.top() + NAMES;
    int number = 0;
    for (Row row : rows.values()) {
      number++;
      plot.rowName(top + row.height() / 2 + 4, "instance " + number);
      instance(plot, row.leaseRow, top, row.height() - 3);
      double laneTop = top + MARGIN / 2 - 1;
      for (List<RunReader.AttemptRow> lane : row.lanes) {
        for (RunReader.AttemptRow attemptRow : lane) {
          trial(plot, attemptRow, laneTop);
        }
        laneTop += LANE;
      }
      top += row.height();
    }
    history.run().groups().stream()
        .filter(groupRow -> groupRow.ended().isPresent())
        .forEach(
            groupRow ->
                plot.moment("mark", history.at(groupRow.ended()), "end of " + groupRow.name()));
    return plot.svg();
  }

  private void instance(Plot plot, RunReader.LeaseRow leaseRow, double top, double height) {
    double requested = history.at(leaseRow.requested());
    double gone = history.goneAt(leaseRow);
    double running = Math.min(gone, history.at(leaseRow.running()));
    double ready = Math.min(gone, history.at(leaseRow.ready()));
    String name = leaseRow.lease() + ", " + leaseRow.offer() + ": ";
    plot.bar(
        "pending",
        requested,
        running,
        top,
        height,
        name + "requested, " + took(requested, running));
    plot.bar("boot", running, ready, top, height, name + "booting, " + took(running, ready));
    plot.bar("held", ready, gone, top, height, name + "ready for " + took(ready, gone));
  }

  private void trial(Plot plot, RunReader.AttemptRow attemptRow, double top) {
    double from = history.at(attemptRow.started());
    double to = history.at(attemptRow.ended());
    boolean failed = attemptRow.exitCode().isPresent() && attemptRow.exitCode().getAsInt() != 0;
    String style =
        failed ? "failed" : best.equals(Optional.of(attemptRow.trial())) ? "best" : "trial";
    String words =
        String.format(
            Locale.ROOT,
            "trial %d, group %s, %s %d to %d, %d worker%s: %s",
            attemptRow.trial(),
            attemptRow.group(),
            history.run().meta().unit(),
            attemptRow.from(),
            attemptRow.to(),
            attemptRow.places().size(),
            attemptRow.places().size() == 1 ? "" : "s",
            took(from, to));
    plot.bar(style, from, to, top, LANE - 1.5, words);
  }

  private static String took(double from, double to) {
    return Durations.format(to - from);
  }
}
