package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Repaints a block of lines in place on a terminal. */
final class RepaintedLines {
  private static final String ESCAPE = "\u001b[";
  private static final String CLEAR_BELOW = ESCAPE + "J";

  private final PrintStream stream;
  private int painted;

  RepaintedLines(PrintStream stream) {
    this.stream = stream;
  }

  /** Returns whether the terminal supports repainting. */
  static boolean isSupported(CliEnvironment cliEnvironment) {
    return cliEnvironment.terminal()
        && !cliEnvironment.variable("TERM").equals(Optional.of("dumb"));
  }

  /** Replaces the previous lines with {@code lines}. */
  void repaint(List<String> lines) {
    StringBuilder text = new StringBuilder();
    if (painted > 0) {
      text.append('\r').append(ESCAPE).append(painted).append('A').append(CLEAR_BELOW);
    }
    lines.forEach(line -> text.append(line).append('\n'));
    stream.print(text);
    stream.flush();
    painted = lines.size();
  }
}
