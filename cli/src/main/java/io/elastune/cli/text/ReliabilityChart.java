package io.elastune.cli.text;

import io.elastune.cli.svg.ChartStyle;
import io.elastune.cli.svg.SvgPlot;
import io.elastune.cli.svg.SvgPlot.Point;
import io.elastune.cli.svg.SvgWriter;
import io.elastune.profiler.Calibration;
import io.elastune.profiler.Calibration.Quantity;
import java.util.List;
import java.util.Locale;

/**
 * Draws a reliability diagram as a self-contained SVG image: the share of actual values below each
 * predicted percentile, with its interval. On the diagonal, predictions are right.
 */
public final class ReliabilityChart {
  private static final SvgPlot.Area AREA = new SvgPlot.Area(80, 480, 70, 470);
  private static final double STEP = 0.25;

  /** Distance of the marks for time and cost from the percentile, in pixels. */
  private static final double ASIDE = 7;

  private static final String STYLE =
      ChartStyle.of(
          """
          .right { stroke: #6e7781; stroke-dasharray: 6 4; fill: none }
          .time { stroke: #0969da; fill: #0969da; stroke-width: 2 }
          .cost { stroke: #bc4c00; fill: #bc4c00; stroke-width: 2 }
          """,
          """
          .right { stroke: #9198a1 }
          .time { stroke: #58a6ff; fill: #58a6ff }
          .cost { stroke: #f0883e; fill: #f0883e }
          """);

  private ReliabilityChart() {}

  /** Returns the SVG text. */
  public static String of(Calibration calibration) {
    SvgPlot plot = new SvgPlot(AREA, 1, 0, 1);
    SvgWriter image = plot.image();
    image.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 520 530\" role=\"img\">\n");
    image.append(STYLE);
    int runs = calibration.used().size();
    double left = AREA.left();
    image.text("title", left, 28, "start", "Predictions of " + Plural.counted(runs, "run"));
    image.text("time", left, 50, "start", "● time");
    image.text("cost", left + 70, 50, "start", "● cost");
    image.text("small", left + 140, 50, "start", "bars: 95% intervals");
    axes(plot);
    plot.curve("right", List.of(new Point(0, 0), new Point(1, 1)), "");
    calibration.rows().stream().filter(row -> row.count() > 0).forEach(row -> mark(plot, row));
    return image.append("</svg>\n").toString();
  }

  private static void axes(SvgPlot plot) {
    plot.horizontalAxis(STEP, PercentFormat::share);
    plot.verticalAxis(STEP, PercentFormat::share);
    double middle = (AREA.left() + AREA.right()) / 2;
    plot.image().text("small", middle, AREA.bottom() + 40, "middle", "predicted percentile");
    plot.image()
        .append(
            "<text class=\"small\" text-anchor=\"middle\""
                + " transform=\"translate(24 270) rotate(-90)\">actual values below it</text>\n");
  }

  private static void mark(SvgPlot plot, Calibration.Row row) {
    boolean time = row.quantity() == Quantity.TIME;
    String style = time ? "time" : "cost";
    double x = plot.xOf(row.percentile()) + (time ? -ASIDE : ASIDE);
    plot.image().line(style, x, plot.yOf(row.low()), x, plot.yOf(row.high()));
    String title =
        String.format(
            Locale.ROOT,
            "%s p%.0f: %d of %d below",
            style,
            100 * row.percentile(),
            row.below(),
            row.count());
    plot.image().circle(style, x, plot.yOf(row.share()), 5, title);
  }
}
