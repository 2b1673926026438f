package io.elastune.cli.env;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Prints lines that stay and, on a terminal, a few live lines below them that are repainted. */
public final class LiveLines {
  private static final int HISTORY = 20;
  private static final String UP_AND_CLEAR = "\033[1A\033[2K";

  private final PrintStream out;
  private final boolean painting;
  private List<String> shown = List.of();
  private int questions;
  private Optional<Deque<String>> history = Optional.empty();
  private int omitted;

  public LiveLines(PrintStream out, boolean painting) {
    this.out = out;
    this.painting = painting;
  }

  /** Hides the live lines while a prompt is open, and allows them again afterwards. */
  public synchronized void setPaused(boolean on) {
    if (on) {
      show(List.of());
    }
    questions += on ? 1 : -1;
  }

  /** Prints lines that stay, above the live ones. */
  public synchronized void print(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    if (history.isPresent()) {
      lines.forEach(line -> hold(history.get(), line));
      return;
    }
    List<String> painted = shown;
    show(List.of());
    lines.forEach(out::println);
    show(painted);
  }

  private void hold(Deque<String> held, String line) {
    held.add(line);
    if (held.size() > HISTORY) {
      held.remove();
      omitted++;
    }
  }

  /** Holds all lines until {@link #showHistory}. */
  public synchronized void holdHistory() {
    history = Optional.of(new ArrayDeque<>());
  }

  /** Prints the latest of the lines held, and how many earlier ones are omitted. */
  public synchronized void showHistory() {
    List<String> held = List.copyOf(history.orElseThrow());
    history = Optional.empty();
    if (omitted > 0) {
      print(List.of("        (" + omitted + " earlier lines omitted)"));
    }
    print(held);
  }

  /** Replaces the live lines. */
  public synchronized void show(List<String> lines) {
    if (!painting || questions > 0 || history.isPresent() || lines.equals(shown)) {
      return;
    }
    out.writeBytes(UP_AND_CLEAR.repeat(shown.size()).getBytes(StandardCharsets.US_ASCII));
    lines.forEach(out::println);
    out.flush();
    shown = List.copyOf(lines);
  }
}
