package io.elastune.cli.svg;

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

  /** HTML does not allow control characters, and a lone surrogate is not valid text. */
  private static boolean isShown(int c) {
    boolean blank = c == '\n' || c == '\t';
    return blank || !(Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}
