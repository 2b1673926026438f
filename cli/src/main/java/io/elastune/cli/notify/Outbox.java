package io.elastune.cli.notify;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Delivers messages to one target in order, on its own thread. Posting never blocks, and a target
 * that hangs does not delay other targets. Failed deliveries are retried.
 */
final class Outbox implements AutoCloseable {
  private static final int MAX_ATTEMPTS = 3;

  private final NotificationTarget notificationTarget;
  private final Duration pause;
  private final Consumer<String> undelivered;
  private final ExecutorService thread;

  /**
   * Creates the outbox of {@code notificationTarget}.
   *
   * @param pause the time before the first retry; it doubles with each retry
   * @param undelivered receives a sentence for each message that was not delivered
   */
  Outbox(NotificationTarget notificationTarget, Duration pause, Consumer<String> undelivered) {
    this.notificationTarget = notificationTarget;
    this.pause = pause;
    this.undelivered = undelivered;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread deliverer = new Thread(work, "notifications");
              deliverer.setDaemon(true);
              return deliverer;
            });
  }

  /** Queues {@code notificationMessage} for delivery. */
  void post(NotificationMessage notificationMessage) {
    thread.execute(() -> deliver(notificationMessage));
  }

  private void deliver(NotificationMessage notificationMessage) {
    String fault = "";
    try {
      for (int tried = 0; tried < MAX_ATTEMPTS; tried++) {
        if (tried > 0) {
          Thread.sleep(pause.toMillis() << (tried - 1));
        }
        fault = notificationTarget.send(notificationMessage);
        if (fault.isEmpty()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fault = fault.isEmpty() ? "the run ended before the delivery" : fault;
    }
    undelivered.accept(
        "Notification '"
            + notificationMessage.event()
            + "' was not delivered to the "
            + notificationTarget.name()
            + ": "
            + fault);
  }

  /** Waits some seconds for queued messages, then drops the rest. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(NotificationTarget.TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        int waiting = thread.shutdownNow().size();
        thread.awaitTermination(1, TimeUnit.SECONDS);
        if (waiting > 0) {
          undelivered.accept(
              waiting
                  + " more notifications were not delivered to the "
                  + notificationTarget.name());
        }
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
