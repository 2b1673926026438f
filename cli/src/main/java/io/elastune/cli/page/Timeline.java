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
    this.best = history.run().best().map(RunReader.Trial::trial);
    history.run().leases().forEach(lease -> rows.put(lease.lease(), new Row(lease)));
    if (isDetailed()) {
      history.attempts().forEach(this::place);
    }
  }

  /** Returns whether attempts are drawn. */
  boolean isDetailed() {
    return history.attempts().size() <= MOST_ATTEMPTS;
  }

  private void place(RunReader.Attempt attempt) {
    List<String> leases = attempt.places().stream().map(GpuSlot::lease).distinct().toList();
    rows.values().stream()
        .filter(row -> leases.contains(row.lease.lease()))
        .forEach(row -> row.add(attempt));
  }

  /** An instance, with one lane per concurrent attempt. */
  private final class Row {
    private final RunReader.Lease lease;
    private final List<List<RunReader.Attempt>> lanes = new ArrayList<>();

    Row(RunReader.Lease lease) {
      this.lease = lease;
    }

    /** Adds an attempt to the first lane that is free at its start. */
    void add(RunReader.Attempt attempt) {
      for (List<RunReader.Attempt> lane : lanes) {
        RunReader.Attempt last = lane.get(lane.size() - 1);
        if (history.at(last.ended()) <= history.at(attempt.started())) {
          lane.add(attempt);
          return;
        }
      }
      lanes.add(new ArrayList<>(List.of(attempt)));
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
      instance(plot, row.lease, top, row.height() - 3);
      double laneTop = top + MARGIN / 2 - 1;
      for (List<RunReader.Attempt> lane : row.lanes) {
        for (RunReader.Attempt attempt : lane) {
          trial(plot, attempt, laneTop);
        }
        laneTop += LANE;
      }
      top += row.height();
    }
    history.run().groups().stream()
        .filter(group -> group.ended().isPresent())
        .forEach(group -> plot.moment("mark", history.at(group.ended()), "end of " + group.name()));
    return plot.svg();
  }

  private void instance(Plot plot, RunReader.Lease lease, double top, double height) {
    double requested = history.at(lease.requested());
    double gone = history.goneAt(lease);
    double running = Math.min(gone, history.at(lease.running()));
    double ready = Math.min(gone, history.at(lease.ready()));
    String name = lease.lease() + ", " + lease.offer() + ": ";
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

  private void trial(Plot plot, RunReader.Attempt attempt, double top) {
    double from = history.at(attempt.started());
    double to = history.at(attempt.ended());
    boolean failed = attempt.exitCode().isPresent() && attempt.exitCode().getAsInt() != 0;
    String style = failed ? "failed" : best.equals(Optional.of(attempt.trial())) ? "best" : "trial";
    String words =
        String.format(
            Locale.ROOT,
            "trial %d, group %s, %s %d to %d, %d worker%s: %s",
            attempt.trial(),
            attempt.group(),
            history.run().meta().unit(),
            attempt.from(),
            attempt.to(),
            attempt.places().size(),
            attempt.places().size() == 1 ? "" : "s",
            took(from, to));
    plot.bar(style, from, to, top, LANE - 1.5, words);
  }

  private static String took(double from, double to) {
    return Durations.format(to - from);
  }
}
