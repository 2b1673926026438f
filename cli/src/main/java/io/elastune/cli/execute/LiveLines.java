package io.elastune.cli.execute;

import java.io.PrintStream;
import java.util.List;

/** Prints lines that stay and, on a terminal, a few live lines below them that are repainted. */
public final class LiveLines {
  private static final String UP_AND_CLEAR = "\033[1A\033[2K";

  private final PrintStream out;
  private final boolean painting;
  private List<String> shown = List.of();
  private int questions;

  public LiveLines(PrintStream out, boolean painting) {
    this.out = out;
    this.painting = painting;
  }

  /** Hides the live lines while a prompt is open, and allows them again afterwards. */
  synchronized void setPaused(boolean on) {
    if (on) {
      show(List.of());
    }
    questions += on ? 1 : -1;
  }

  /** Prints lines that stay, above the live ones. */
  synchronized void print(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    List<String> painted = shown;
    show(List.of());
    lines.forEach(out::println);
    show(painted);
  }

  /** Replaces the live lines. */
  public synchronized void show(List<String> lines) {
    if (!painting || questions > 0 || lines.equals(shown)) {
      return;
    }
    out.print(UP_AND_CLEAR.repeat(shown.size()));
    lines.forEach(out::println);
    out.flush();
    shown = List.copyOf(lines);
  }
}
