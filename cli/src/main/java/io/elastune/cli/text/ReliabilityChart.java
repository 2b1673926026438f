package io.elastune.cli.text;

import io.elastune.profiler.Calibration;
import io.elastune.profiler.Calibration.Quantity;
import java.util.Locale;

/**
 * Draws a reliability diagram as a self-contained SVG image: the share of actual values below each
 * predicted percentile, with its interval. On the diagonal, predictions are right.
 */
public final class ReliabilityChart {
  private static final double LEFT = 80;
  private static final double RIGHT = 480;
  private static final double TOP = 70;
  private static final double BOTTOM = 470;
  private static final double STEP = 0.25;

  /** Distance of the marks for time and cost from the percentile, in pixels. */
  private static final double ASIDE = 7;

  private static final String STYLE =
      """
      <style>
        svg { background: #ffffff }
        text { font: 13px sans-serif; fill: #1f2328 }
        .title { font-size: 16px; font-weight: bold }
        .small { font-size: 12px; fill: #59636e }
        .axis { stroke: #6e7781; fill: none }
        .grid { stroke: #e1e4e8; fill: none }
        .right { stroke: #6e7781; stroke-dasharray: 6 4; fill: none }
        .time { stroke: #0969da; fill: #0969da; stroke-width: 2 }
        .cost { stroke: #bc4c00; fill: #bc4c00; stroke-width: 2 }
        @media (prefers-color-scheme: dark) {
          svg { background: #0d1117 }
          text { fill: #e6edf3 }
          .small { fill: #9198a1 }
          .axis { stroke: #9198a1 }
          .grid { stroke: #21262d }
          .right { stroke: #9198a1 }
          .time { stroke: #58a6ff; fill: #58a6ff }
          .cost { stroke: #f0883e; fill: #f0883e }
        }
      </style>
      """;

  private ReliabilityChart() {}

  /** Returns the SVG text. */
  public static String of(Calibration calibration) {
    SvgWriter svg = new SvgWriter();
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 520 530\" role=\"img\">\n");
    svg.append(STYLE);
    int runs = calibration.used().size();
    svg.text("title", LEFT, 28, "start", "Predictions of " + Plural.counted(runs, "run"));
    svg.text("time", LEFT, 50, "start", "● time");
    svg.text("cost", LEFT + 70, 50, "start", "● cost");
    svg.text("small", LEFT + 140, 50, "start", "bars: 95% intervals");
    axes(svg);
    svg.line("right", x(0), y(0), x(1), y(1));
    calibration.rows().stream().filter(row -> row.count() > 0).forEach(row -> mark(svg, row));
    return svg.append("</svg>\n").toString();
  }

  private static double x(double share) {
    return LEFT + share * (RIGHT - LEFT);
  }

  private static double y(double share) {
    return BOTTOM - share * (BOTTOM - TOP);
  }

  private static void axes(SvgWriter svg) {
    for (double tick = 0; tick <= 1; tick += STEP) {
      svg.line("grid", LEFT, y(tick), RIGHT, y(tick));
      svg.line("grid", x(tick), TOP, x(tick), BOTTOM);
      svg.text("small", LEFT - 8, y(tick) + 4, "end", PercentFormat.share(tick));
      svg.text("small", x(tick), BOTTOM + 18, "middle", PercentFormat.share(tick));
    }
    svg.line("axis", LEFT, TOP, LEFT, BOTTOM);
    svg.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM);
    svg.text("small", (LEFT + RIGHT) / 2, BOTTOM + 40, "middle", "predicted percentile");
    svg.append(
        "<text class=\"small\" text-anchor=\"middle\" transform=\"translate(24 270) rotate(-90)\">"
            + "actual values below it</text>\n");
  }

  private static void mark(SvgWriter svg, Calibration.Row row) {
    boolean time = row.quantity() == Quantity.TIME;
    String style = time ? "time" : "cost";
    double at = x(row.percentile()) + (time ? -ASIDE : ASIDE);
    svg.line(style, at, y(row.low()), at, y(row.high()));
    svg.append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\">"
                + "<title>%s p%.0f: %d of %d below</title></circle>\n",
            style,
            at,
            y(row.share()),
            style,
            100 * row.percentile(),
            row.below(),
            row.count()));
  }
}
