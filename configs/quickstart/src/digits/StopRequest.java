package digits;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles SIGTERM: the process finishes and saves the current unit before it exits. If that takes
 * longer than the grace period, it exits without.
 */
final class StopRequest {
  private static final int GRACE_S = 25; // the protocol allows 30 s

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean requested;
  private volatile int exitCode;

  private StopRequest() {}

  static StopRequest onSigterm() {
    StopRequest stop = new StopRequest();
    Runtime.getRuntime().addShutdownHook(new Thread(stop::await));
    return stop;
  }

  /** Runs when the JVM shuts down because of a signal or {@link #exit}. The JVM waits for it. */
  private void await() {
    requested = true;
    try {
      if (done.await(GRACE_S, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(exitCode); // otherwise the JVM would use the signal's exit code
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isRequested() {
    return requested;
  }

  void exit(int code) {
    exitCode = code;
    done.countDown();
    System.exit(code);
  }
}
