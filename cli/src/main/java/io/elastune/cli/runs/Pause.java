package io.elastune.cli.runs;

/** Waits between two polls. */
public final class Pause {
  private Pause() {}

  /** Returns whether to continue: false after an interrupt. */
  public static boolean millis(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
