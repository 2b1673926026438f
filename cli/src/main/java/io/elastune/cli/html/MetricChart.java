package io.elastune.cli.html;

import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.svg.SvgPlot;
import io.elastune.cli.svg.SvgPlot.Point;
import io.elastune.executor.journal.ReportRow;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Draws the metric of every trial by unit. If a unit was trained twice, the later report counts.
 */
final class MetricChart {
  private static final double HEIGHT = 260;
  private static final int DOT_RADIUS = 4;
  private static final double MARGIN = 0.06;

  private final RunRecord run;
  private final TrialColors trialColors;
  private final Map<Integer, NavigableMap<Integer, Double>> curves = new TreeMap<>();

  MetricChart(RunHistory runHistory, TrialColors trialColors) {
    this.trialColors = trialColors;
    this.run = runHistory.run();
    String metric = run.meta().metric().name();
    for (ReportRow reportRow : runHistory.reports()) {
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
    SvgPlot svgPlot = PageChart.plot(HEIGHT, units, least - margin, most + margin);
    svgPlot.countAxis(run.meta().unit());
    svgPlot.amountAxis(PageChart.AMOUNT_TICKS, ValueFormat::text);
    curves.forEach((trial, curve) -> draw(svgPlot, trial, curve, "curve"));
    // The colored trials again, on top of all others.
    for (int trial : trialColors.drawnLast()) {
      Optional.ofNullable(curves.get(trial))
          .ifPresent(curve -> draw(svgPlot, trial, curve, trialColors.style(trial)));
    }
    return PageChart.markup(svgPlot, metric + " by trial");
  }

  private DoubleStream values() {
    return curves.values().stream()
        .flatMap(curve -> curve.values().stream())
        .mapToDouble(Double::doubleValue);
  }

  private static void draw(
      SvgPlot svgPlot, int trial, NavigableMap<Integer, Double> curve, String style) {
    List<Point> points =
        curve.entrySet().stream().map(e -> new Point(e.getKey(), e.getValue())).toList();
    Point last = points.get(points.size() - 1);
    String words = "trial " + trial + ": " + ValueFormat.text(last.y());
    if (points.size() == 1) {
      svgPlot.dot(style, last, DOT_RADIUS, words);
    } else {
      svgPlot.curve(style, points, words);
    }
  }
}
