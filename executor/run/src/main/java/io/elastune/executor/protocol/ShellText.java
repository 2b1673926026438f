package io.elastune.executor.protocol;

/** Writes text for shell commands. */
public final class ShellText {
  private ShellText() {}

  /** Returns a word that a POSIX shell reads as exactly this text. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
