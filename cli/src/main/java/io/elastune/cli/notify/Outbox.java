package io.elastune.cli.notify;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Delivers messages to one target, one after the other, on a thread of its own: who posts never
 * waits, and a target that hangs holds up nobody else. What fails is tried again.
 */
final class Outbox implements AutoCloseable {
  private static final int TRIES = 3;

  private final Target target;
  private final Duration pause;
  private final Consumer<String> complaints;
  private final ExecutorService thread;

  /**
   * For {@code target}.
   *
   * @param pause before a message is tried again; twice as long before the next time
   * @param complaints is told, in a sentence, what could not be delivered
   */
  Outbox(Target target, Duration pause, Consumer<String> complaints) {
    this.target = target;
    this.pause = pause;
    this.complaints = complaints;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread deliverer = new Thread(work, "notifications");
              deliverer.setDaemon(true);
              return deliverer;
            });
  }

  /** Has {@code message} delivered soon. */
  void post(Message message) {
    thread.execute(() -> deliver(message));
  }

  private void deliver(Message message) {
    String fault = "";
    try {
      for (int tried = 0; tried < TRIES; tried++) {
        if (tried > 0) {
          Thread.sleep(pause.toMillis() << (tried - 1));
        }
        fault = target.tell(message);
        if (fault.isEmpty()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fault = fault.isEmpty() ? "there was no time left" : fault;
    }
    complaints.accept(
        "'" + message.event() + "' could not be told to the " + target.name() + ": " + fault);
  }

  /** Gives what is under way some seconds, and then up. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(Target.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        int waiting = thread.shutdownNow().size();
        thread.awaitTermination(1, TimeUnit.SECONDS);
        if (waiting > 0) {
          complaints.accept(waiting + " more messages were not told to the " + target.name());
        }
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
