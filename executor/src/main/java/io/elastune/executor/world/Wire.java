package io.elastune.executor.world;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Delivers events to their consumer, with faults: some are late, duplicated or lost.
 *
 * @param <E> the type of the events
 */
final class Wire<E> {
  private final Timeline time;
  private final Chance chance;
  private final Faults.Events faults;
  private final Consumer<E> listener;
  private final Mishaps mishaps;
  private final Map<String, Long> lastOf = new HashMap<>();
  private long last;
  private boolean cut;

  Wire(Timeline time, Chance chance, Faults.Events faults, Mishaps mishaps, Consumer<E> listener) {
    this.time = time;
    this.chance = chance;
    this.faults = faults;
    this.mishaps = mishaps;
    this.listener = listener;
  }

  /** Sends an event that may get lost. */
  void send(E event) {
    if (!happens(faults.lost(), Mishap.EVENT_LOST)) {
      sendWithoutLoss(event);
    }
  }

  private void sendWithoutLoss(E event) {
    deliver(event, arrivalTime());
    if (happens(faults.doubled(), Mishap.EVENT_DOUBLED)) {
      deliver(event, arrivalTime());
    }
  }

  /**
   * Sends an event that no later event with the same subject overtakes.
   *
   * @param guaranteed whether it always arrives, at some time
   */
  void sendInOrder(String subject, E event, boolean guaranteed) {
    if (!guaranteed && happens(faults.lost(), Mishap.EVENT_LOST)) {
      return;
    }
    long at = Math.max(arrivalTime(), lastOf.getOrDefault(subject, 0L));
    lastOf.put(subject, at);
    deliver(event, at);
    if (happens(faults.doubled(), Mishap.EVENT_DOUBLED)) {
      deliver(event, at);
    }
  }

  private long arrivalTime() {
    boolean late = happens(faults.late(), Mishap.EVENT_LATE);
    return time.nanos() + (late ? Timeline.nanos(chance.waiting(faults.lateMeanS())) : 0);
  }

  private boolean happens(double probability, Mishap mishap) {
    boolean happens = chance.happens(probability);
    if (happens) {
      mishaps.count(mishap);
    }
    return happens;
  }

  private void deliver(E event, long at) {
    if (at < last) { // it overtakes an event sent earlier
      mishaps.count(Mishap.EVENT_OVERTAKEN);
    }
    last = Math.max(last, at);
    time.at(
        at,
        () -> {
          if (!cut) {
            listener.accept(event);
          }
        });
  }

  /** Stops the delivery of all events. */
  void cut() {
    cut = true;
  }
}
