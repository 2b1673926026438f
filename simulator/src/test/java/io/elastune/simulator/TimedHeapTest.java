package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the heap with a sorted list. */
class TimedHeapTest {
  private record Item(double timeS, int number) {}

  private static final Comparator<Item> ORDER =
      Comparator.comparingDouble(Item::timeS).thenComparingInt(Item::number);

  @Test
  void takesItemsInOrderOfTimeAndNumber() {
    Random random = new Random(3);
    TimedHeap<Item> heap = new TimedHeap<>();
    List<Item> expected = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(expected.size() > 100 ? 10 : 6);
      if (choice < 5 || expected.isEmpty()) {
        Item item = new Item(random.nextInt(50), step);
        heap.add(item.timeS(), item.number(), item);
        expected.add(item);
        expected.sort(ORDER);
      } else if (choice < 8) {
        assertThat(heap.poll()).isEqualTo(expected.remove(0));
      } else if (choice == 8) {
        Item some = expected.remove(random.nextInt(expected.size()));
        heap.remove(some);
      } else {
        int part = random.nextInt(7);
        heap.removeIf(item -> item.number() % 7 == part);
        expected.removeIf(item -> item.number() % 7 == part);
      }
      assertThat(heap.size()).isEqualTo(expected.size());
      assertThat(heap.firstS())
          .isEqualTo(expected.isEmpty() ? Double.POSITIVE_INFINITY : expected.get(0).timeS());
    }
  }
}
