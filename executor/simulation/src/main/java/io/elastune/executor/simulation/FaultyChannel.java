package io.elastune.executor.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Delivers events to their consumer, with faults: some are late, duplicated or lost.
 *
 * @param <E> the type of the events
 */
final class FaultyChannel<E> {
  private final VirtualTime time;
  private final RandomStream randomStream;
  private final FaultRates.EventFaults faults;
  private final Consumer<E> listener;
  private final FaultCounts faultCounts;
  private final Map<String, Long> lastOf = new HashMap<>();
  private long last;
  private boolean cut;

  FaultyChannel(
      VirtualTime time,
      RandomStream randomStream,
      FaultRates.EventFaults faults,
      FaultCounts faultCounts,
      Consumer<E> listener) {
    this.time = time;
    this.randomStream = randomStream;
    this.faults = faults;
    this.faultCounts = faultCounts;
    this.listener = listener;
  }

  /** Sends an event that may get lost. */
  void send(E event) {
    if (!happens(faults.lost(), FaultKind.EVENT_LOST)) {
      sendWithoutLoss(event);
    }
  }

  private void sendWithoutLoss(E event) {
    deliver(event, arrivalTime());
    if (happens(faults.duplicated(), FaultKind.EVENT_DUPLICATED)) {
      deliver(event, arrivalTime());
    }
  }

  /**
   * Sends an event that no later event with the same subject overtakes.
   *
   * @param guaranteed whether it always arrives, at some time
   */
  void sendInOrder(String subject, E event, boolean guaranteed) {
    if (!guaranteed && happens(faults.lost(), FaultKind.EVENT_LOST)) {
      return;
    }
    long at = Math.max(arrivalTime(), lastOf.getOrDefault(subject, 0L));
    lastOf.put(subject, at);
    deliver(event, at);
    if (happens(faults.duplicated(), FaultKind.EVENT_DUPLICATED)) {
      deliver(event, at);
    }
  }

  private long arrivalTime() {
    boolean late = happens(faults.late(), FaultKind.EVENT_LATE);
    return time.nanos()
        + (late ? VirtualTime.nanos(randomStream.exponential(faults.lateMeanS())) : 0);
  }

  private boolean happens(double probability, FaultKind faultKind) {
    boolean happens = randomStream.happens(probability);
    if (happens) {
      faultCounts.count(faultKind);
    }
    return happens;
  }

  private void deliver(E event, long at) {
    if (at < last) { // it overtakes an event sent earlier
      faultCounts.count(FaultKind.EVENT_OVERTAKEN);
    }
    last = Math.max(last, at);
    time.scheduleAt(
        at,
        () -> {
          if (!cut) {
            listener.accept(event);
          }
        });
  }

  /** Stops the delivery of all events. */
  void close() {
    cut = true;
  }
}
