package io.elastune.simulator.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeySorterTest {
  @Test
  void sortsByKeyThenByRule() {
    for (int count = 0; count < 300; count++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(count);
      int most = 1 + random.nextInt(2 * (count + 1));
      double[] keys = random.doubles(count).map(key -> Math.floor(key * most)).toArray();
      int[] items = IntStream.range(0, count).toArray();

      new KeySorter(count).sort(items, count, keys, (a, b) -> a > b);

      List<Integer> expected =
          IntStream.range(0, count)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingDouble(item -> keys[item])
                      .thenComparing(Comparator.reverseOrder()))
              .toList();
      assertThat(IntStream.of(items).boxed().toList()).as("%s items", count).isEqualTo(expected);

      int wanted = random.nextInt(count + 1);
      int[] others = IntStream.range(0, count).toArray();
      new KeySorter(count).select(others, count, wanted, keys, (a, b) -> a > b);
      assertThat(IntStream.of(others).limit(wanted).boxed().toList())
          .as("%s of %s items", wanted, count)
          .containsExactlyInAnyOrderElementsOf(expected.subList(0, wanted));
      assertThat(others).as("%s items", count).containsExactlyInAnyOrder(items);
    }
  }
}
