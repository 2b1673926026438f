package io.elastune.cli.inspect;

/** Waits between two polls. */
public final class PollDelay {
  private PollDelay() {}

  /** Returns whether to continue: false after an interrupt. */
  public static boolean sleepMillis(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
