package io.elastune.simulator.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the heap with a sorted list. */
class TimedHeapTest {
  private record Item(double timeS, int rank, int number) {}

  private static final Comparator<Item> ORDER =
      Comparator.comparingDouble(Item::timeS)
          .thenComparingInt(Item::rank)
          .thenComparingInt(Item::number);

  @Test
  void takesItemsInOrderOfTimeAndRank() {
    Random random = new Random(3);
    TimedHeap heap = new TimedHeap();
    List<Item> expected = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(expected.size() > 100 ? 10 : 7);
      Item item = new Item(random.nextInt(50), random.nextInt(3), step);
      if (choice < 5 || expected.isEmpty()) {
        heap.add(item.timeS(), item.rank(), item.number());
        expected.add(item);
      } else if (choice < 9) {
        assertThat(heap.poll()).isEqualTo(expected.remove(0).number());
      } else {
        int part = random.nextInt(7);
        heap.removeIf(number -> number % 7 == part);
        expected.removeIf(one -> one.number() % 7 == part);
      }
      expected.sort(ORDER);
      assertThat(heap.size()).isEqualTo(expected.size());
      assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
      if (expected.isEmpty()) {
        assertThat(heap.firstS()).isInfinite();
        continue;
      }
      Item first = expected.get(0);
      assertThat(heap.first()).isEqualTo(first.number());
      assertThat(heap.firstS()).isEqualTo(first.timeS());
      assertThat(heap.isBefore(first.timeS(), first.rank())).isFalse();
      assertThat(heap.isBefore(first.timeS(), first.rank() + 1)).isTrue();
    }
  }
}
