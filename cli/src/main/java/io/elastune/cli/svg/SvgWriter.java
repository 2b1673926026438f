package io.elastune.cli.text;

import java.util.Locale;

/** Builds the text of an SVG image. Callers must escape the text that they pass. */
public final class SvgWriter {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup. */
  public SvgWriter append(CharSequence markup) {
    text.append(markup);
    return this;
  }

  /** Adds a straight line with a CSS class; coordinates are in pixels. */
  public void line(String style, double x1, double y1, double x2, double y2) {
    text.append(
        String.format(
            Locale.ROOT,
            "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
            style,
            x1,
            y1,
            x2,
            y2));
  }

  /** Adds text at a position in pixels; {@code anchor} is an SVG text-anchor. */
  public void text(String style, double x, double y, String anchor, String words) {
    text.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            style,
            x,
            y,
            anchor,
            words));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
