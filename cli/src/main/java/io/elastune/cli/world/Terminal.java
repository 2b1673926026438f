package io.elastune.cli.world;

import java.io.Console;

/** Whether a person sits in front of this process. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether standard input and output are both a terminal. Up to Java 21 a console means just that;
   * from 22 on there is always one, and it has a method that tells.
   */
  @SuppressWarnings("SystemConsoleNull") // told apart below
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
