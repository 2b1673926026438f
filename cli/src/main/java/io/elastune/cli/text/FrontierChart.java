package io.elastune.cli.text;

import io.elastune.cli.input.AssumedNumbers;
import io.elastune.cli.input.Inputs;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
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
  private static final double LEFT = 80;
  private static final double RIGHT = 740;
  private static final double TOP = 70;
  private static final double BOTTOM = 400;
  private static final double MARGIN = 1.08;
  private static final int TICKS = 8;

  /** A limit beyond this multiple of the largest value is shown as text only. */
  private static final double FAR = 2;

  private static final String STYLE =
      """
      <style>
        svg { background: #ffffff }
        text { font: 13px sans-serif; fill: #1f2328 }
        .title { font-size: 16px; font-weight: bold }
        .small { font-size: 12px; fill: #59636e }
        .axis { stroke: #6e7781; fill: none }
        .grid { stroke: #e1e4e8; fill: none }
        .limit { stroke: #cf222e; stroke-dasharray: 6 4; fill: none }
        .front { stroke: #0969da; stroke-width: 2; fill: none }
        .point { fill: #0969da }
        .shown { fill: #1a7f37; stroke: #1a7f37 }
        .static { fill: none; stroke: #9a6700; stroke-width: 2 }
        .knee { fill: none; stroke: #8250df; stroke-width: 2 }
        @media (prefers-color-scheme: dark) {
          svg { background: #0d1117 }
          text { fill: #e6edf3 }
          .small { fill: #9198a1 }
          .axis { stroke: #9198a1 }
          .grid { stroke: #21262d }
          .limit { stroke: #ff7b72 }
          .front { stroke: #58a6ff }
          .point { fill: #58a6ff }
          .shown { fill: #3fb950; stroke: #3fb950 }
          .static { stroke: #d29922 }
          .knee { stroke: #a371f7 }
        }
      </style>
      """;

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
  private final SvgWriter svgWriter = new SvgWriter();

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
    return chart.svgWriter.append("</svg>\n").toString();
  }

  private void begin(String job) {
    svgWriter.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 470\" role=\"img\">\n");
    svgWriter.append("<title>Time–cost frontier of ").append(job).append("</title>\n");
    svgWriter.append(STYLE);
    svgWriter.text("title", LEFT, 28, "start", "Time–cost frontier of " + job);
    svgWriter.text("small", LEFT, 48, "start", legend());
  }

  private String legend() {
    String legend = "dots: no plan found is both faster and cheaper (means)";
    return legend
        + (cluster.isPresent() ? " · ring: best static cluster" : "")
        + (mark.isEmpty() ? "" : " · ~ depends on assumed values");
  }

  private void axes() {
    double stepS = AxisTicks.ofTime(mostS / TICKS);
    for (double at = 0; at <= mostS; at += stepS) {
      svgWriter.line("grid", x(at), TOP, x(at), BOTTOM);
      svgWriter.text("small", x(at), BOTTOM + 18, "middle", at == 0 ? "0" : Durations.format(at));
    }
    double stepUsd = AxisTicks.ofAmount(mostUsd / TICKS);
    for (int i = 0; i * stepUsd <= mostUsd; i++) {
      svgWriter.line("grid", LEFT, y(i * stepUsd), RIGHT, y(i * stepUsd));
      svgWriter.text(
          "small",
          LEFT - 8,
          y(i * stepUsd) + 4,
          "end",
          i == 0 ? "$0" : UsdFormat.format(i * stepUsd));
    }
    svgWriter.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM);
    svgWriter.line("axis", LEFT, TOP, LEFT, BOTTOM);
    svgWriter.text("small", (LEFT + RIGHT) / 2, BOTTOM + 42, "middle", "finish");
    svgWriter.text("small", LEFT, TOP - 8, "middle", "cost");
  }

  private void limits() {
    OptionalDouble deadlineS = problem.limits().deadlineS();
    if (deadlineS.isPresent()) {
      String words = "deadline " + Durations.format(Math.max(0, deadlineS.getAsDouble()));
      if (deadlineS.getAsDouble() > mostS) {
        svgWriter.text("small", RIGHT, BOTTOM - 8, "end", words + " →");
      } else {
        double at = x(Math.max(0, deadlineS.getAsDouble()));
        svgWriter.line("limit", at, TOP, at, BOTTOM);
        boolean right = at > (LEFT + RIGHT) / 2;
        svgWriter.text(
            "small", right ? at - 6 : at + 6, BOTTOM - 8, right ? "end" : "start", words);
      }
    }
    OptionalDouble budget = problem.limits().budgetUsd();
    if (budget.isPresent()) {
      String words = "budget " + UsdFormat.format(budget.getAsDouble());
      if (budget.getAsDouble() > mostUsd) {
        svgWriter.text("small", LEFT + 8, TOP + 32, "start", "↑ " + words);
      } else {
        svgWriter.line("limit", LEFT, y(budget.getAsDouble()), RIGHT, y(budget.getAsDouble()));
        svgWriter.text("small", RIGHT, y(budget.getAsDouble()) - 6, "end", words);
      }
    }
  }

  /** Between two points, only time increases first; then the cost drops. */
  private void steps() {
    StringBuilder path = new StringBuilder();
    for (FrontierPoint point : points) {
      double x = x(point.completionS());
      double y = y(point.costUsd());
      path.append(
          path.length() == 0
              ? String.format(Locale.ROOT, "M%.1f %.1f", x, y)
              : String.format(Locale.ROOT, "H%.1fV%.1f", x, y));
    }
    svgWriter.append("<path class=\"front\" d=\"").append(path).append("\"/>\n");
  }

  private void cluster(Baseline baseline) {
    double x = x(baseline.completionS());
    double y = y(baseline.costUsd());
    String words = "best static cluster: " + numbers(baseline.completionS(), baseline.costUsd());
    circle("static", x, y, 8, words);
  }

  private void points(Marks marks) {
    for (FrontierPoint point : points) {
      boolean chosen = marks.shown().filter(point.plan()::equals).isPresent();
      boolean knee = marks.knee().filter(point.plan()::equals).isPresent();
      double x = x(point.completionS());
      double y = y(point.costUsd());
      circle(
          chosen ? "shown" : "point",
          x,
          y,
          chosen ? 6 : 4,
          numbers(point) + ": " + PlanSummaryLine.plan(problem, point.plan()));
      boolean end = point.equals(points.get(0)) || point.equals(points.get(points.size() - 1));
      if (knee) {
        circle("knee", x, y, 9, "knee: much faster or cheaper for little more");
      }
      if (chosen || knee || end) {
        boolean right = x > RIGHT - 190;
        String words = (knee ? "knee: " : "") + (chosen ? "this plan: " : "") + numbers(point);
        boolean below = !chosen && !knee && !point.equals(points.get(0));
        double above = below ? 22 : -10;
        svgWriter.text("", right ? x - 6 : x + 10, y + above, right ? "end" : "start", words);
      }
    }
  }

  private String numbers(FrontierPoint point) {
    return numbers(point.completionS(), point.costUsd());
  }

  private String numbers(double seconds, double usd) {
    return mark + Durations.format(seconds) + " for " + mark + UsdFormat.format(usd);
  }

  private void circle(String style, double x, double y, double radius, String words) {
    svgWriter.append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"><title>%s</title></circle>\n",
            style,
            x,
            y,
            radius,
            words));
  }

  private double x(double seconds) {
    return LEFT + seconds / mostS * (RIGHT - LEFT);
  }

  private double y(double usd) {
    return BOTTOM - usd / mostUsd * (BOTTOM - TOP);
  }
}
