package io.elastune.cli.page;

import io.elastune.cli.page.Plot.Point;
import io.elastune.cli.runs.Numbers;
import io.elastune.cli.runs.RunRecord;
import io.elastune.executor.journal.RunReader;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Draws the metric of every trial by unit. If a unit was trained twice, the later report counts.
 */
final class CurvesChart {
  private static final double HEIGHT = 260;
  private static final double MARGIN = 0.06;

  private final RunRecord run;
  private final Map<Integer, NavigableMap<Integer, Double>> curves = new TreeMap<>();

  CurvesChart(History history) {
    this.run = history.run();
    String metric = run.meta().metric().name();
    for (RunReader.ReportRow reportRow : history.reports()) {
      double value = reportRow.metrics().getOrDefault(metric, Double.NaN);
      if (Double.isFinite(value)) {
        curves
            .computeIfAbsent(reportRow.trial(), trial -> new TreeMap<>())
            .put(reportRow.unit(), value);
      }
    }
  }

  /** Returns whether there is nothing to show. */
  boolean isEmpty() {
    return curves.isEmpty();
  }

  String svg() {
    double least = values().min().orElse(0);
    double most = values().max().orElse(1);
    double margin = MARGIN * (most > least ? most - least : Math.max(1e-9, Math.abs(most)));
    int units = curves.values().stream().mapToInt(NavigableMap::lastKey).max().orElse(1);
    String metric = run.meta().metric().name();
    Plot plot = new Plot(metric + " by trial", HEIGHT, units, least - margin, most + margin);
    plot.countAxis(run.meta().unit());
    plot.amountAxis(Numbers::text);
    Optional<Integer> best = run.best().map(RunReader.TrialRow::trial);
    curves.forEach((trial, curve) -> draw(plot, trial, curve, "curve"));
    // The best trial again, on top of all others.
    curves.forEach(
        (trial, curve) -> {
          if (best.equals(Optional.of(trial))) {
            draw(plot, trial, curve, "curve bestcurve");
          }
        });
    return plot.svg();
  }

  private DoubleStream values() {
    return curves.values().stream()
        .flatMap(curve -> curve.values().stream())
        .mapToDouble(Double::doubleValue);
  }

  private static void draw(
      Plot plot, int trial, NavigableMap<Integer, Double> curve, String style) {
    List<Point> points =
        curve.entrySet().stream().map(e -> new Point(e.getKey(), e.getValue())).toList();
    Point last = points.get(points.size() - 1);
    String words = "trial " + trial + ": " + Numbers.text(last.y());
    if (points.size() == 1) {
      plot.dot(style, last, words);
    } else {
      plot.curve(style, points, words);
    }
  }
}
