package io.elastune.cli.page;

/** Text in HTML and SVG. */
final class Markup {
  private Markup() {}

  /** The text, with nothing in it that a browser would take for markup. */
  static String escape(String text) {
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

  /** Control characters are no text in HTML, and half a surrogate pair is none anywhere. */
  private static boolean isShown(int c) {
    boolean blank = c == '\n' || c == '\t';
    return blank || !(Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}
