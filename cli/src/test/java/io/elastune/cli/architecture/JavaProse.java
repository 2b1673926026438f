package io.elastune.cli.architecture;

import java.util.ArrayList;
import java.util.List;

/** Splits Java source into what people read: string literals and comments, each with its line. */
final class JavaProse {
  enum Kind {
    STRING,
    COMMENT
  }

  /**
   * One literal or comment line.
   *
   * @param line counted from 1
   */
  record Piece(Kind kind, int line, String text) {}

  private final String source;
  private final List<Piece> pieces = new ArrayList<>();
  private int at;
  private int line = 1;

  private JavaProse(String source) {
    this.source = source;
  }

  /** Returns the pieces of {@code source} in order. */
  static List<Piece> of(String source) {
    JavaProse prose = new JavaProse(source);
    while (prose.at < source.length()) {
      prose.next();
    }
    return List.copyOf(prose.pieces);
  }

  private void next() {
    if (source.startsWith("//", at)) {
      take(Kind.COMMENT, source.indexOf('\n', at));
    } else if (source.startsWith("/*", at)) {
      take(Kind.COMMENT, source.indexOf("*/", at) + 2);
    } else if (source.startsWith("\"\"\"", at)) {
      take(Kind.STRING, source.indexOf("\"\"\"", at + 3) + 3);
    } else if (source.charAt(at) == '"' || source.charAt(at) == '\'') {
      take(Kind.STRING, endOfLiteral());
    } else {
      line += source.charAt(at) == '\n' ? 1 : 0;
      at++;
    }
  }

  private int endOfLiteral() {
    char quote = source.charAt(at);
    int end = at + 1;
    while (source.charAt(end) != quote) {
      end += source.charAt(end) == '\\' ? 2 : 1;
    }
    return end + 1;
  }

  private void take(Kind kind, int end) {
    int stop = end < at ? source.length() : end;
    for (String text : source.substring(at, stop).split("\n", -1)) {
      pieces.add(new Piece(kind, line, text.strip()));
      line++;
    }
    line--;
    at = stop;
  }
}
