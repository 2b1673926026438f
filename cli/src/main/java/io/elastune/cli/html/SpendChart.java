package io.elastune.cli.html;

import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.svg.SvgPlot;
import io.elastune.cli.svg.SvgPlot.Point;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.time.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Draws actual and predicted spending over time. */
final class SpendChart {
  private static final double HEIGHT = 230;
  private static final double HEADROOM = 1.12;

  /** A limit beyond this multiple of the largest value is not drawn. */
  private static final double FAR = 2;

  private final RunHistory runHistory;
  private final RunRecord run;

  SpendChart(RunHistory runHistory) {
    this.runHistory = runHistory;
    this.run = runHistory.run();
  }

  String svg() {
    List<Point> spent = spent();
    List<Point> planned = planned();
    double mostS = most(spent, planned, Point::x);
    double mostUsd = most(spent, planned, Point::y);
    OptionalDouble deadline = near(run.deadlineS(), mostS);
    OptionalDouble budget = near(run.meta().budgetUsd(), mostUsd);
    SvgPlot svgPlot =
        PageChart.plot(
            HEIGHT,
            HEADROOM * Math.max(mostS, deadline.orElse(0)),
            0,
            HEADROOM * Math.max(mostUsd, budget.orElse(0)));
    svgPlot.timeAxis();
    svgPlot.amountAxis(PageChart.AMOUNT_TICKS, usd -> usd == 0 ? "$0" : UsdFormat.format(usd));
    deadline.ifPresent(s -> svgPlot.verticalLine("limit", s, "deadline " + Durations.format(s)));
    budget.ifPresent(
        usd -> svgPlot.horizontalLine("limit", usd, "budget " + UsdFormat.format(usd)));
    svgPlot.curve("planned", planned, planned.isEmpty() ? "" : "predicted");
    svgPlot.curve("spent", spent, "spent");
    svgPlot.dot("end", spent.get(spent.size() - 1), 4, UsdFormat.format(run.costUsd()) + " spent");
    return PageChart.markup(svgPlot, "Cost over time");
  }

  private static double most(List<Point> a, List<Point> b, ToDoubleFunction<Point> part) {
    return Stream.concat(a.stream(), b.stream()).mapToDouble(part).max().orElse(1);
  }

  private static OptionalDouble near(OptionalDouble limit, double most) {
    return limit.isPresent() && limit.getAsDouble() <= FAR * most && limit.getAsDouble() > 0
        ? limit
        : OptionalDouble.empty();
  }

  /**
   * Spreads the cost of each lease evenly over its running time, and hourly costs over the run. The
   * cost of profiling was spent before.
   */
  private List<Point> spent() {
    TreeSet<Double> moments = new TreeSet<>(List.of(0.0, runHistory.end()));
    run.leases().stream()
        .filter(leaseRow -> leaseRow.running().isPresent())
        .forEach(
            leaseRow -> {
              moments.add(runHistory.at(leaseRow.running()));
              moments.add(runHistory.terminatedAt(leaseRow));
            });
    return moments.stream().map(at -> new Point(at, usdAt(at))).toList();
  }

  private double usdAt(double at) {
    double leases =
        run.leases().stream()
            .filter(leaseRow -> leaseRow.running().isPresent())
            .mapToDouble(
                leaseRow ->
                    leaseRow.usd()
                        * part(
                            at,
                            runHistory.at(leaseRow.running()),
                            runHistory.terminatedAt(leaseRow)))
            .sum();
    double byTheHour = run.progress().spentUsd() - run.leasesUsd();
    double end = run.completionS().orElse(runHistory.end());
    return run.meta().profilingUsd() + leases + byTheHour * part(at, 0, end);
  }

  private static double part(double at, double from, double to) {
    return to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : at >= to ? 1 : 0;
  }

  /** Returns the mean cost at the end of each group. Hourly costs accumulate evenly. */
  private List<Point> planned() {
    List<Point> points = new ArrayList<>();
    run.meta().estimate().ifPresent(estimate -> addPlanned(estimate, points));
    return points;
  }

  private void addPlanned(Estimate estimate, List<Point> points) {
    double before = run.meta().profilingUsd();
    double groups = estimate.groups().stream().mapToDouble(g -> g.costUsd().mean()).sum();
    double byTheHour = Math.max(0, estimate.costUsd().mean() - groups);
    double completion = estimate.completionS().mean();
    points.add(new Point(0, before));
    double usd = before;
    for (GroupEstimate group :
        estimate.groups().stream()
            .sorted(Comparator.comparingDouble((GroupEstimate g) -> g.endS().mean()))
            .toList()) {
      usd += group.costUsd().mean();
      double end = group.endS().mean();
      points.add(new Point(end, usd + byTheHour * part(end, 0, completion)));
    }
    points.add(new Point(completion, before + estimate.costUsd().mean()));
  }
}
