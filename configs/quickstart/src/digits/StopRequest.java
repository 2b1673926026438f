package digits;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM as a wish: the unit under way is finished and saved before the process ends. Should that
 * take longer than the grace, it ends without.
 */
final class StopRequest {
  private static final int GRACE_S = 25; // the protocol gives 30

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean requested;
  private volatile int exitCode;

  private StopRequest() {}

  static StopRequest onSigterm() {
    StopRequest stop = new StopRequest();
    Runtime.getRuntime().addShutdownHook(new Thread(stop::await));
    return stop;
  }

  /** Java waits for this when it is told to end, by a signal or by {@link #exit}. */
  private void await() {
    requested = true;
    try {
      if (done.await(GRACE_S, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(exitCode); // else a signal's exit code would hide ours
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
