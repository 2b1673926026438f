package io.elastune.cli.env;

import io.elastune.core.text.VisibleText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The stream of all text that commands print. Much of it comes from outside: from trials, clouds,
 * files and other machines. Characters that a terminal would execute, or that change how other text
 * is shown, are printed as JSON escapes them ({@link VisibleText}), so JSON keeps its meaning.
 * Bytes are written as they are: those of live lines, and of logs whose colors are kept.
 */
public final class VisibleStream extends PrintStream {
  private VisibleStream(PrintStream target) {
    super(target, true, StandardCharsets.UTF_8);
  }

  static VisibleStream of(PrintStream target) {
    return target instanceof VisibleStream visible ? visible : new VisibleStream(target);
  }

  /** Prints a text. All other methods for text end here. */
  @Override
  public void print(String text) {
    super.print(VisibleText.escapeLines(String.valueOf(text)));
  }
}
