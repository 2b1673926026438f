package io.elastune.cli.svg;

import io.elastune.core.time.Durations;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Draws a chart in SVG: two linear scales with ticks, and shapes in data coordinates. Colors come
 * from the page's style sheet, by class.
 */
public final class SvgPlot {
  private static final int MOST_TICKS = 8;
  private static final double PIXELS_PER_CHARACTER = 6.5;

  private final SvgWriter image = new SvgWriter();
  private final Area area;
  private final double xMost;
  private final double yLeast;
  private final double yMost;
  private double labelEnd;

  /** A point in the data's own units. */
  public record Point(double x, double y) {}

  /** The part of the image between the axes, in pixels. */
  public record Area(double left, double right, double top, double bottom) {}

  /**
   * An empty chart.
   *
   * @param xMost the right end of the horizontal scale, which starts at 0
   */
  public SvgPlot(Area area, double xMost, double yLeast, double yMost) {
    this.area = area;
    this.xMost = xMost > 0 ? xMost : 1;
    this.yLeast = yLeast;
    this.yMost = yMost > yLeast ? yMost : yLeast + 1;
  }

  public Area area() {
    return area;
  }

  /** Returns the writer of the image, for shapes in pixels. */
  public SvgWriter image() {
    return image;
  }

  public double xOf(double x) {
    return area.left() + x / xMost * (area.right() - area.left());
  }

  public double yOf(double y) {
    return area.bottom() - (y - yLeast) / (yMost - yLeast) * (area.bottom() - area.top());
  }

  /** Draws a horizontal axis of time in seconds. */
  public void timeAxis() {
    horizontalAxis(AxisTicks.ofTime(xMost / MOST_TICKS), s -> s == 0 ? "0" : Durations.format(s));
  }

  /** Draws a horizontal axis of whole numbers with the name of the counted unit. */
  public void countAxis(String name) {
    double step = Math.max(1, AxisTicks.ofAmount(xMost / MOST_TICKS));
    horizontalAxis(step, count -> String.format(Locale.ROOT, "%.0f", count));
    image.text("small", (area.left() + area.right()) / 2, area.bottom() + 34, "middle", name);
  }

  /** Draws a horizontal axis with a tick and a line of the grid at every multiple of the step. */
  public void horizontalAxis(double step, DoubleFunction<String> label) {
    for (int i = 0; i * step <= xMost * (1 + 1e-9); i++) {
      double x = xOf(i * step);
      image.line("grid", x, area.top(), x, area.bottom());
      image.text("small", x, area.bottom() + 17, "middle", label.apply(i * step));
    }
    image.line("axis", area.left(), area.bottom(), area.right(), area.bottom());
  }

  /** Draws a vertical axis of amounts with at most this number of ticks. */
  public void amountAxis(int ticks, DoubleFunction<String> label) {
    verticalAxis(AxisTicks.ofAmount((yMost - yLeast) / ticks), label);
  }

  /** Draws a vertical axis with a tick and a line of the grid at every multiple of the step. */
  public void verticalAxis(double step, DoubleFunction<String> label) {
    for (double y = Math.ceil(yLeast / step - 1e-9) * step; y <= yMost; y += step) {
      double tidy = Math.abs(y) < step * 1e-6 ? 0 : y;
      image.line("grid", area.left(), yOf(y), area.right(), yOf(y));
      image.text("small", area.left() - 7, yOf(y) + 4, "end", label.apply(tidy));
    }
    image.line("axis", area.left(), area.top(), area.left(), area.bottom());
  }

  /** Draws a name beside a row. */
  public void rowName(double y, String name) {
    image.text("small", area.left() - 7, y, "end", name);
  }

  /** Draws a vertical line through the whole chart. */
  public void verticalLine(String style, double x) {
    image.line(style, xOf(x), area.top(), xOf(x), area.bottom());
  }

  /** Draws a vertical line through the whole chart, with a label if there is space for it. */
  public void verticalLine(String style, double x, String label) {
    verticalLine(style, x);
    double at = xOf(x);
    boolean left = at > area.right() - 110;
    double width = PIXELS_PER_CHARACTER * label.length();
    double start = left ? at - 4 - width : at + 4;
    if (start < labelEnd) {
      return; // It would overlap the label before it.
    }
    labelEnd = start + width;
    image.text("small", left ? at - 4 : at + 4, area.top() + 10, left ? "end" : "start", label);
  }

  /** Draws a horizontal line through the whole chart. */
  public void horizontalLine(String style, double y) {
    image.line(style, area.left(), yOf(y), area.right(), yOf(y));
  }

  /** Draws a horizontal line through the whole chart, with a label. */
  public void horizontalLine(String style, double y, String label) {
    horizontalLine(style, y);
    image.text("small", area.left() + 6, yOf(y) - 5, "start", label);
  }

  /** Draws a line through {@code points}, with a tooltip unless {@code title} is empty. */
  public void curve(String style, List<Point> points, String title) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.length() == 0 ? 'M' : 'L')
          .append(String.format(Locale.ROOT, "%.1f %.1f", xOf(point.x()), yOf(point.y())));
    }
    image.path(style, path, title);
  }

  /** Draws a dot with a radius in pixels, and a tooltip unless {@code title} is empty. */
  public void dot(String style, Point at, int radius, String title) {
    image.circle(style, xOf(at.x()), yOf(at.y()), radius, title);
  }

  /** Draws a bar between two x values; {@code top} and {@code height} are in pixels. */
  public void bar(String style, double from, double to, double top, double height, String title) {
    double width = Math.max(0.5, xOf(to) - xOf(from));
    image.rectangle(style, xOf(from), top, width, height, title);
  }
}
