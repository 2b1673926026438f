package io.elastune.cli.text;

import io.elastune.cli.svg.ChartStyle;
import io.elastune.cli.svg.SvgPlot;
import io.elastune.cli.svg.SvgPlot.Point;
import io.elastune.cli.svg.SvgWriter;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Draws the time–cost frontier as a self-contained SVG image. It follows the reader's light or dark
 * color scheme, and is identical for the same plan.
 */
public final class FrontierChart {
  private static final SvgPlot.Area AREA = new SvgPlot.Area(80, 740, 70, 400);
  private static final double MARGIN = 1.08;
  private static final int AMOUNT_TICKS = 8;

  /** A limit beyond this multiple of the largest value is shown as text only. */
  private static final double FAR = 2;

  private static final String STYLE =
      ChartStyle.of(
          """
          .limit { stroke: #cf222e; stroke-dasharray: 6 4; fill: none }
          .front { stroke: #0969da; stroke-width: 2; fill: none }
          .point { fill: #0969da }
          .shown { fill: #1a7f37; stroke: #1a7f37 }
          .static { fill: none; stroke: #9a6700; stroke-width: 2 }
          .knee { fill: none; stroke: #8250df; stroke-width: 2 }
          """,
          """
          .limit { stroke: #ff7b72 }
          .front { stroke: #58a6ff }
          .point { fill: #58a6ff }
          .shown { fill: #3fb950; stroke: #3fb950 }
          .static { stroke: #d29922 }
          .knee { stroke: #a371f7 }
          """);

  /**
   * The plans to mark.
   *
   * @param shown the plan that meets the limits, if there is one
   * @param knee the knee of the frontier, if it has one
   */
  public record Marks(Optional<Plan> shown, Optional<Plan> knee) {
    /** No plan meets the limits. */
    public static final Marks NONE = new Marks(Optional.empty(), Optional.empty());
  }

  private final Problem problem;
  private final String mark;
  private final List<FrontierPoint> points;
  private final Optional<Baseline> cluster;
  private final double mostS;
  private final double mostUsd;
  private final SvgPlot svgPlot;
  private final SvgWriter image;

  private FrontierChart(
      Problem problem, String mark, List<FrontierPoint> points, Optional<Baseline> cluster) {
    this.problem = problem;
    this.mark = mark;
    this.points = points;
    this.cluster = cluster;
    double slowest = points.stream().mapToDouble(FrontierPoint::completionS).max().orElse(1);
    double highestUsd = points.stream().mapToDouble(FrontierPoint::costUsd).max().orElse(1);
    slowest = Math.max(slowest, cluster.map(Baseline::completionS).orElse(0.0));
    highestUsd = Math.max(highestUsd, cluster.map(Baseline::costUsd).orElse(0.0));
    this.mostS = MARGIN * within(slowest, problem.limits().deadlineS());
    this.mostUsd = MARGIN * within(highestUsd, problem.limits().budgetUsd());
    this.svgPlot = new SvgPlot(AREA, mostS, 0, mostUsd);
    this.image = svgPlot.image();
  }

  private static double within(double most, OptionalDouble limit) {
    return limit.isPresent() && limit.getAsDouble() <= FAR * most
        ? Math.max(most, limit.getAsDouble())
        : most;
  }

  /**
   * Returns the SVG text.
   *
   * @param points the frontier, the fastest first
   * @param baselines the baselines, of which the static cluster is shown
   */
  public static String of(
      Inputs inputs,
      Problem problem,
      List<FrontierPoint> points,
      List<Baseline> baselines,
      Marks marks) {
    Optional<Baseline> cluster =
        baselines.stream().filter(baseline -> baseline.name().equals("static")).findFirst();
    String mark =
        new AssumedNumbers(inputs, problem).mark(points.stream().map(FrontierPoint::plan));
    FrontierChart chart = new FrontierChart(problem, mark, points, cluster);
    chart.begin(inputs.job().value().name());
    chart.axes();
    chart.limits();
    chart.steps();
    chart.cluster.ifPresent(chart::cluster);
    chart.points(marks);
    return chart.image.append("</svg>\n").toString();
  }

  private void begin(String job) {
    image.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 470\" role=\"img\">\n");
    image.append("<title>Time–cost frontier of ").append(job).append("</title>\n");
    image.append(STYLE);
    image.text("title", AREA.left(), 28, "start", "Time–cost frontier of " + job);
    image.text("small", AREA.left(), 48, "start", legend());
  }

  private String legend() {
    String legend = "dots: no plan found is both faster and cheaper (means)";
    return legend
        + (cluster.isPresent() ? " · ring: best static cluster" : "")
        + (mark.isEmpty() ? "" : " · ~ depends on assumed values");
  }

  private void axes() {
    svgPlot.timeAxis();
    svgPlot.amountAxis(AMOUNT_TICKS, usd -> usd == 0 ? "$0" : UsdFormat.format(usd));
    double middle = (AREA.left() + AREA.right()) / 2;
    image.text("small", middle, AREA.bottom() + 42, "middle", "finish");
    image.text("small", AREA.left(), AREA.top() - 8, "middle", "cost");
  }

  private void limits() {
    problem.limits().deadlineS().ifPresent(this::deadline);
    problem.limits().budgetUsd().ifPresent(this::budget);
  }

  private void deadline(double seconds) {
    double shownS = Math.max(0, seconds);
    String words = "deadline " + Durations.format(shownS);
    double y = AREA.bottom() - 8;
    if (seconds > mostS) {
      image.text("small", AREA.right(), y, "end", words + " →");
      return;
    }
    svgPlot.verticalLine("limit", shownS);
    double at = svgPlot.xOf(shownS);
    boolean right = at > (AREA.left() + AREA.right()) / 2;
    image.text("small", right ? at - 6 : at + 6, y, right ? "end" : "start", words);
  }

  private void budget(double usd) {
    String words = "budget " + UsdFormat.format(usd);
    if (usd > mostUsd) {
      image.text("small", AREA.left() + 8, AREA.top() + 32, "start", "↑ " + words);
      return;
    }
    svgPlot.horizontalLine("limit", usd);
    image.text("small", AREA.right(), svgPlot.yOf(usd) - 6, "end", words);
  }

  /** Between two points, only time increases first; then the cost drops. */
  private void steps() {
    StringBuilder path = new StringBuilder();
    for (FrontierPoint point : points) {
      path.append(
          String.format(
              Locale.ROOT,
              path.length() == 0 ? "M%.1f %.1f" : "H%.1fV%.1f",
              svgPlot.xOf(point.completionS()),
              svgPlot.yOf(point.costUsd())));
    }
    image.path("front", path, "");
  }

  private void cluster(Baseline baseline) {
    Point at = new Point(baseline.completionS(), baseline.costUsd());
    svgPlot.dot("static", at, 8, "best static cluster: " + numbers(at));
  }

  private void points(Marks marks) {
    for (FrontierPoint point : points) {
      boolean chosen = marks.shown().filter(point.plan()::equals).isPresent();
      boolean knee = marks.knee().filter(point.plan()::equals).isPresent();
      Point at = new Point(point.completionS(), point.costUsd());
      svgPlot.dot(
          chosen ? "shown" : "point",
          at,
          chosen ? 6 : 4,
          numbers(at) + ": " + PlanSummaryLine.plan(problem, point.plan()));
      if (knee) {
        svgPlot.dot("knee", at, 9, "knee: much faster or cheaper for little more");
      }
      boolean first = point.equals(points.get(0));
      if (chosen || knee || first || point.equals(points.get(points.size() - 1))) {
        String words = (knee ? "knee: " : "") + (chosen ? "this plan: " : "") + numbers(at);
        label(at, words, !chosen && !knee && !first);
      }
    }
  }

  private void label(Point at, String words, boolean below) {
    double x = svgPlot.xOf(at.x());
    double y = svgPlot.yOf(at.y()) + (below ? 22 : -10);
    boolean right = x > AREA.right() - 190;
    image.text("", right ? x - 6 : x + 10, y, right ? "end" : "start", words);
  }

  private String numbers(Point at) {
    return mark + Durations.format(at.x()) + " for " + mark + UsdFormat.format(at.y());
  }
}
