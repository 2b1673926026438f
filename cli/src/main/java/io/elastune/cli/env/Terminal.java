package io.elastune.cli.env;

import java.io.Console;

/** Detects whether this process is interactive. */
final class Terminal {
  private Terminal() {}

  /**
   * Returns whether standard input and output are both a terminal. Up to Java 21, a console exists
   * only then. From Java 22 on, there is always a console, and {@code isTerminal} returns it.
   */
  @SuppressWarnings("SystemConsoleNull") // both cases are handled below
  static boolean isPresent() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
