package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MomentHeapTest {
  private record Moment(long ns, int key) {}

  @Test
  void returnsTheEarliestMomentAndOfEqualOnesTheLowestKey() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      MomentHeap heap = new MomentHeap();
      List<Moment> all = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        if (all.isEmpty() || random.nextInt(5) > 1) {
          Moment moment = new Moment(random.nextInt(60), step);
          all.add(moment);
          heap.add(moment.ns(), moment.key());
        } else {
          Moment first =
              all.stream()
                  .min(Comparator.comparingLong(Moment::ns).thenComparingInt(Moment::key))
                  .orElseThrow();
          assertThat(heap.firstNs()).isEqualTo(first.ns());
          assertThat(heap.firstKey()).isEqualTo(first.key());
          assertThat(heap.poll()).isEqualTo(first.key());
          all.remove(first);
        }
        assertThat(heap.isEmpty()).isEqualTo(all.isEmpty());
      }
    }
  }

  @Test
  void roundsToNanoseconds() {
    assertThat(MomentHeap.ns(1.5)).isEqualTo(1_500_000_000L);
    assertThat(MomentHeap.ns(Double.POSITIVE_INFINITY)).isEqualTo(Long.MAX_VALUE);
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double seconds = Math.scalb(random.nextDouble() - 0.2, random.nextInt(80) - 40);
      assertThat(MomentHeap.ns(seconds)).isEqualTo(Math.round(seconds * 1e9));
      double half = (random.nextInt(100) + 0.5) / 1e9;
      assertThat(MomentHeap.ns(half)).isEqualTo(Math.round(half * 1e9));
    }
  }
}
