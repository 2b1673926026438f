package io.elastune.simulator.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the queue with a sorted list. */
class SlotQueueTest {
  private static final int SLOTS = 40;
  private static final int STEPS = 20_000;

  private record Event(double timeS, int trial, int slot) {}

  private static final Comparator<Event> ORDER =
      Comparator.comparingDouble(Event::timeS).thenComparingInt(Event::trial);

  @Test
  void takesSlotsInOrderOfTimeAndTrial() {
    // Spans within which all events lie, some, and none but those of the present.
    for (double spanS : new double[] {50, 7, 0.1, 0}) {
      compare(spanS, new Random(5));
    }
  }

  private static void compare(double spanS, Random random) {
    SlotQueue queue = new SlotQueue();
    queue.clear(SLOTS, 100, spanS);
    List<Event> expected = new ArrayList<>();
    double nowS = 100;
    int ties = 0;
    for (int step = 0; step < STEPS; step++) {
      double atS = nowS + random.nextInt(80) / 8.0;
      int choice = random.nextInt(10);
      if (expected.size() < 2 || (choice < 4 && expected.size() < SLOTS)) {
        int slot = free(expected);
        queue.add(atS, step, slot);
        expected.add(new Event(atS, step, slot));
      } else if (choice < 7) {
        queue.replaceFirst(atS, step);
        expected.set(0, new Event(atS, step, expected.get(0).slot()));
      } else if (choice < 9) {
        assertThat(queue.poll()).isEqualTo(expected.remove(0).slot());
      } else {
        queue.remove(expected.remove(random.nextInt(expected.size())).slot());
      }
      expected.sort(ORDER);
      Event first = expected.get(0);
      assertThat(queue.firstS()).isEqualTo(first.timeS());
      assertThat(queue.first()).isEqualTo(first.slot());
      boolean isTied = expected.size() > 1 && expected.get(1).timeS() == first.timeS();
      assertThat(queue.mayBeTied() || !isTied).isTrue();
      ties += isTied ? 1 : 0;
      nowS = first.timeS();
    }
    assertThat(ties).isGreaterThan(STEPS / 20);
    while (!expected.isEmpty()) {
      assertThat(queue.poll()).isEqualTo(expected.remove(0).slot());
    }
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.firstS()).isInfinite();
  }

  private static int free(List<Event> events) {
    int slot = 0;
    while (isTaken(events, slot)) {
      slot++;
    }
    return slot;
  }

  private static boolean isTaken(List<Event> events, int slot) {
    return events.stream().anyMatch(event -> event.slot() == slot);
  }
}
