package io.elastune.cli.svg;

import io.elastune.core.text.VisibleText;

/** Escapes text for HTML and SVG. */
public final class MarkupEscaper {
  private MarkupEscaper() {}

  /** Returns the text with markup characters escaped and invalid characters replaced. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isShown(c) ? c : '\uFFFD');
              }
            });
    return escaped.toString();
  }

  /** HTML does not allow control characters, and others change how the text is shown. */
  private static boolean isShown(int c) {
    return c == '\n' || c == '\t' || VisibleText.isVisible(c);
  }
}
