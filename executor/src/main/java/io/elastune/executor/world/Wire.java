package io.elastune.executor.world;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The way of events to whoever listens: at once and in order, or late, doubled, lost.
 *
 * @param <E> what is told
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
      sendSurely(event);
    }
  }

  private void sendSurely(E event) {
    deliver(event, arrival());
    if (happens(faults.doubled(), Mishap.EVENT_DOUBLED)) {
      deliver(event, arrival());
    }
  }

  /**
   * Sends an event that no other of the same subject overtakes.
   *
   * @param surely whether it comes for sure, sooner or later
   */
  void sendInOrder(String subject, E event, boolean surely) {
    if (!surely && happens(faults.lost(), Mishap.EVENT_LOST)) {
      return;
    }
    long at = Math.max(arrival(), lastOf.getOrDefault(subject, 0L));
    lastOf.put(subject, at);
    deliver(event, at);
    if (happens(faults.doubled(), Mishap.EVENT_DOUBLED)) {
      deliver(event, at);
    }
  }

  private long arrival() {
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
    if (at < last) { // it overtakes one that was sent before
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

  /** Nothing arrives any more. */
  void cut() {
    cut = true;
  }
}
