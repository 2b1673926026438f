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
  private final Map<String, Long> lastOf = new HashMap<>();
  private boolean cut;

  Wire(Timeline time, Chance chance, Faults.Events faults, Consumer<E> listener) {
    this.time = time;
    this.chance = chance;
    this.faults = faults;
    this.listener = listener;
  }

  /** Sends an event that may get lost. */
  void send(E event) {
    if (!chance.happens(faults.lost())) {
      sendSurely(event);
    }
  }

  private void sendSurely(E event) {
    deliver(event, arrival());
    if (chance.happens(faults.doubled())) {
      deliver(event, arrival());
    }
  }

  /**
   * Sends an event that no other of the same subject overtakes.
   *
   * @param surely whether it comes for sure, sooner or later
   */
  void sendInOrder(String subject, E event, boolean surely) {
    if (!surely && chance.happens(faults.lost())) {
      return;
    }
    long at = Math.max(arrival(), lastOf.getOrDefault(subject, 0L));
    lastOf.put(subject, at);
    deliver(event, at);
    if (chance.happens(faults.doubled())) {
      deliver(event, at);
    }
  }

  private long arrival() {
    boolean late = chance.happens(faults.late());
    return time.nanos() + (late ? Timeline.nanos(chance.waiting(faults.lateMeanS())) : 0);
  }

  private void deliver(E event, long at) {
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
