package io.elastune.cli.runs;

import io.elastune.cli.world.World;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Repaints a block of lines in place on a terminal. */
final class Live {
  private static final String ESCAPE = "\u001b[";
  private static final String CLEAR_BELOW = ESCAPE + "J";

  private final PrintStream stream;
  private int painted;

  Live(PrintStream stream) {
    this.stream = stream;
  }

  /** Returns whether the terminal supports repainting. */
  static boolean isPossible(World world) {
    return world.terminal() && !world.variable("TERM").equals(Optional.of("dumb"));
  }

  /** Replaces the previous lines with {@code lines}. */
  void paint(List<String> lines) {
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
