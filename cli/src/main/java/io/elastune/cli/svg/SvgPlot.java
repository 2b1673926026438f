package io.elastune.cli.html;

import io.elastune.cli.text.AxisTicks;
import io.elastune.cli.text.SvgWriter;
import io.elastune.core.time.Durations;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Draws a chart in SVG: two linear scales with ticks, and shapes in data coordinates. Colors come
 * from the page's style sheet, by class.
 */
final class SvgPlot {
  private static final double LEFT = 76;
  private static final double RIGHT = 744;
  private static final double TOP = 14;
  private static final double BELOW = 42;
  private static final int MOST_TICKS = 8;
  private static final double PIXELS_PER_CHARACTER = 6.5;

  /** A point in the data's own units. */
  record Point(double x, double y) {}

  private final SvgWriter svgWriter = new SvgWriter();
  private double labelEnd;
  private final double bottom;
  private final double xMost;
  private final double yLeast;
  private final double yMost;

  /**
   * An empty chart.
   *
   * @param title description for screen readers
   * @param height of the plot area in pixels
   * @param xMost the right end of the horizontal scale, which starts at 0
   */
  SvgPlot(String title, double height, double xMost, double yLeast, double yMost) {
    this.bottom = TOP + height;
    this.xMost = xMost > 0 ? xMost : 1;
    this.yLeast = yLeast;
    this.yMost = yMost > yLeast ? yMost : yLeast + 1;
    svgWriter.append(
        String.format(
            Locale.ROOT,
            "<div class=\"chart\"><svg viewBox=\"0 0 760 %.0f\" role=\"img\" aria-label=\"%s\">\n",
            bottom + BELOW,
            MarkupEscaper.escape(title)));
  }

  double xOf(double x) {
    return LEFT + x / xMost * (RIGHT - LEFT);
  }

  double yOf(double y) {
    return bottom - (y - yLeast) / (yMost - yLeast) * (bottom - TOP);
  }

  /** Draws a time axis in seconds. */
  void timeAxis() {
    double step = AxisTicks.ofTime(xMost / MOST_TICKS);
    for (int i = 0; i * step <= xMost * (1 + 1e-9); i++) {
      tick(i * step, i == 0 ? "0" : Durations.format(i * step));
    }
    svgWriter.line("axis", LEFT, bottom, RIGHT, bottom);
  }

  /** Draws an axis of whole numbers with the name of the counted unit. */
  void countAxis(String name) {
    double step = Math.max(1, AxisTicks.ofAmount(xMost / MOST_TICKS));
    for (int i = 0; i * step <= xMost; i++) {
      tick(i * step, String.format(Locale.ROOT, "%.0f", i * step));
    }
    svgWriter.line("axis", LEFT, bottom, RIGHT, bottom);
    text("small", (LEFT + RIGHT) / 2, bottom + 34, "middle", name);
  }

  private void tick(double x, String label) {
    svgWriter.line("grid", xOf(x), TOP, xOf(x), bottom);
    text("small", xOf(x), bottom + 17, "middle", label);
  }

  /** Draws the vertical axis. */
  void amountAxis(DoubleFunction<String> label) {
    double step = AxisTicks.ofAmount((yMost - yLeast) / 5);
    for (double y = Math.ceil(yLeast / step - 1e-9) * step; y <= yMost; y += step) {
      double tidy = Math.abs(y) < step * 1e-6 ? 0 : y;
      svgWriter.line("grid", LEFT, yOf(y), RIGHT, yOf(y));
      text("small", LEFT - 7, yOf(y) + 4, "end", label.apply(tidy));
    }
    svgWriter.line("axis", LEFT, TOP, LEFT, bottom);
  }

  /** Draws a name beside a row. */
  void rowName(double y, String name) {
    text("small", LEFT - 7, y, "end", name);
  }

  /** Draws a vertical line through the whole chart, with a label if there is space for it. */
  void verticalLine(String style, double x, String word) {
    svgWriter.line(style, xOf(x), TOP, xOf(x), bottom);
    if (!word.isEmpty()) {
      boolean right = xOf(x) > RIGHT - 110;
      double start = right ? xOf(x) - 4 - labelWidth(word) : xOf(x) + 4;
      if (start < labelEnd) {
        return; // It would overlap the label before it.
      }
      labelEnd = start + labelWidth(word);
      text("small", right ? xOf(x) - 4 : xOf(x) + 4, TOP + 10, right ? "end" : "start", word);
    }
  }

  private static double labelWidth(String word) {
    return PIXELS_PER_CHARACTER * word.length();
  }

  /** Draws a horizontal line through the whole chart, with a label. */
  void horizontalLine(String style, double y, String word) {
    svgWriter.line(style, LEFT, yOf(y), RIGHT, yOf(y));
    text("small", LEFT + 6, yOf(y) - 5, "start", word);
  }

  /** Draws a line through {@code points}, with a tooltip unless {@code title} is empty. */
  void curve(String style, List<Point> points, String title) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.length() == 0 ? 'M' : 'L')
          .append(String.format(Locale.ROOT, "%.1f %.1f", xOf(point.x()), yOf(point.y())));
    }
    svgWriter.append("<path class=\"" + style + "\" d=\"" + path + "\">");
    svgWriter.append(tooltip(title)).append("</path>\n");
  }

  /** A dot. */
  void dot(String style, Point at, String title) {
    svgWriter.append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\">%s</circle>\n",
            style,
            xOf(at.x()),
            yOf(at.y()),
            tooltip(title)));
  }

  /** Draws a bar between two x values; {@code top} and {@code height} are in pixels. */
  void bar(String style, double from, double to, double top, double height, String title) {
    svgWriter.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">%s</rect>\n",
            style,
            xOf(from),
            top,
            Math.max(0.5, xOf(to) - xOf(from)),
            height,
            tooltip(title)));
  }

  private static String tooltip(String title) {
    return title.isEmpty() ? "" : "<title>" + MarkupEscaper.escape(title) + "</title>";
  }

  private void text(String style, double x, double y, String anchor, String words) {
    svgWriter.text(style, x, y, anchor, MarkupEscaper.escape(words));
  }

  /** Returns the whole chart. */
  String svg() {
    return svgWriter + "</svg></div>\n";
  }

  /** Returns the top of the plot area in pixels. */
  static double top() {
    return TOP;
  }
}
