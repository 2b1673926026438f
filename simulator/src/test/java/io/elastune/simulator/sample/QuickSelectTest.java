package io.elastune.simulator.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuickSelectTest {
  @Test
  void selectsTheSameValueAsSorting() {
    for (long seed = 0; seed < 2000; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      int count = 1 + random.nextInt(300);
      double[] values = values(random, count);
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int from = random.nextInt(count);
      int rank = from + random.nextInt(count - from);
      double[] about = sorted.clone();
      shuffle(random, about, from);

      QuickSelect.select(about, from, count, rank);

      assertThat(about[rank]).as("seed %s", seed).isEqualTo(sorted[rank]);
      assertThat(Arrays.stream(about, from, rank)).allMatch(value -> value <= sorted[rank]);
      assertThat(Arrays.stream(about, rank, count)).allMatch(value -> value >= sorted[rank]);
      assertThat(QuickSelect.least(about, rank, count)).isEqualTo(sorted[rank]);
    }
  }

  @Test
  void percentilesMatchSortedValues() {
    for (long seed = 0; seed < 2000; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      double[] values = values(random, 1 + random.nextInt(300));
      double[] sorted = values.clone();
      Arrays.sort(sorted);

      Distribution distribution = new Percentiles(values.length).of(values);

      assertThat(distribution)
          .as("seed %s", seed)
          .isEqualTo(
              new Distribution(
                  distribution.mean(),
                  Percentiles.ofSorted(sorted, 0.05),
                  Percentiles.ofSorted(sorted, 0.5),
                  Percentiles.ofSorted(sorted, 0.95)));
    }
  }

  @Test
  void staysFastOnHardOrders() {
    int count = 1 << 20;
    double[] ascending = IntStream.range(0, count).asDoubleStream().toArray();
    double[] descending = IntStream.range(0, count).mapToDouble(i -> count - 1 - i).toArray();
    double[] organPipes =
        IntStream.range(0, count).mapToDouble(i -> Math.min(i, count - i)).toArray();
    double[] equal = new double[count];

    // A quadratic algorithm would take minutes for each.
    for (double[] values : new double[][] {ascending, descending, organPipes, equal}) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      QuickSelect.select(values, 0, count, count / 3);
      assertThat(values[count / 3]).isEqualTo(sorted[count / 3]);
    }
  }

  /** Fills the array with few or many distinct values, sometimes already sorted. */
  private static double[] values(RandomGenerator random, int count) {
    int kinds = 1 + random.nextInt(2 * count);
    double[] values = random.doubles(count).map(value -> Math.floor(value * kinds)).toArray();
    if (random.nextInt(4) == 0) {
      Arrays.sort(values);
    }
    return values;
  }

  private static void shuffle(RandomGenerator random, double[] values, int from) {
    for (int i = values.length - 1; i > from; i--) {
      int other = from + random.nextInt(i + 1 - from);
      double value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }
}
