package io.elastune.cli.html;

import io.elastune.cli.svg.MarkupEscaper;
import io.elastune.cli.svg.SvgPlot;
import java.util.Locale;

/** The plots of the report page, which are equally wide. */
final class PageChart {
  static final double TOP = 14;
  static final int AMOUNT_TICKS = 5;
  private static final double LEFT = 76;
  private static final double RIGHT = 744;
  private static final double BELOW = 42;

  private PageChart() {}

  /** Returns an empty plot whose area is {@code height} pixels high. */
  static SvgPlot plot(double height, double xMost, double yLeast, double yMost) {
    return new SvgPlot(new SvgPlot.Area(LEFT, RIGHT, TOP, TOP + height), xMost, yLeast, yMost);
  }

  /** Returns the markup of a plot; {@code title} is its description for screen readers. */
  static String markup(SvgPlot svgPlot, String title) {
    return String.format(
            Locale.ROOT,
            "<div class=\"chart\"><svg viewBox=\"0 0 760 %.0f\" role=\"img\" aria-label=\"%s\">\n",
            svgPlot.area().bottom() + BELOW,
            MarkupEscaper.escape(title))
        + svgPlot.image()
        + "</svg></div>";
  }
}
