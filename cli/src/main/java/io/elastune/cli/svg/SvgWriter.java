package io.elastune.cli.svg;

import java.util.Locale;

/** Builds the text of an SVG image, in pixels. Colors come from a style sheet, by class. */
public final class SvgWriter {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup, whose text must be escaped. */
  public SvgWriter append(CharSequence markup) {
    text.append(markup);
    return this;
  }

  /** Adds a straight line. */
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

  /** Adds text; {@code anchor} is an SVG text-anchor. */
  public void text(String style, double x, double y, String anchor, String words) {
    text.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            style,
            x,
            y,
            anchor,
            MarkupEscaper.escape(words)));
  }

  /** Adds a path with a tooltip, unless {@code title} is empty. */
  public void path(String style, CharSequence path, String title) {
    append("<path class=\"" + style + "\" d=\"" + path + "\">" + tooltip(title) + "</path>\n");
  }

  /** Adds a circle with a tooltip, unless {@code title} is empty. */
  public void circle(String style, double x, double y, int radius, String title) {
    append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\">%s</circle>\n",
            style,
            x,
            y,
            radius,
            tooltip(title)));
  }

  /** Adds a rectangle with a tooltip, unless {@code title} is empty. */
  public void rectangle(
      String style, double x, double y, double width, double height, String title) {
    append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">%s</rect>\n",
            style,
            x,
            y,
            width,
            height,
            tooltip(title)));
  }

  private static String tooltip(String title) {
    return title.isEmpty() ? "" : "<title>" + MarkupEscaper.escape(title) + "</title>";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
