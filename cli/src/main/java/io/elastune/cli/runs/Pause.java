package io.elastune.cli.runs;

/** Waits between two looks. */
public final class Pause {
  private Pause() {}

  /** Says whether to go on: not after an interrupt. */
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
