package io.elastune.cli.screen;

import java.util.Locale;

/**
 * The text of an SVG picture as it grows. Words are put in as they are: escaped by who needs it.
 */
public final class Svg {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup. */
  public Svg append(CharSequence markup) {
    text.append(markup);
    return this;
  }

  /** A straight line of a class of the style sheet, in pixels. */
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

  /** Words at a place in pixels; {@code anchor} as SVG calls it. */
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
