package io.elastune.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  @Test
  void streamsWithDifferentNamesDiffer() {
    assertThat(
            Arrays.asList(
                first(RandomStreams.of(1)),
                first(RandomStreams.of(2)),
                first(RandomStreams.of(1).at("a")),
                first(RandomStreams.of(1).at("b")),
                first(RandomStreams.of(1).at("a").at("b")),
                first(RandomStreams.of(1).at("ab")),
                first(RandomStreams.of(1).at(0)),
                first(RandomStreams.of(1).at(1)),
                first(RandomStreams.of(1).at(0).at(1)),
                first(RandomStreams.of(1).at(1).at(0))))
        .doesNotHaveDuplicates();
  }

  /** Each of eight equal intervals contains the number of one of eight samples. */
  @Test
  void stratifiedNumbersAreInDifferentIntervals() {
    for (int entity = 0; entity < 100; entity++) {
      RandomStreams streams = RandomStreams.of(1).at(entity);

      assertThat(
              IntStream.range(0, 8).mapToObj(sample -> (int) (8 * streams.stratified(sample, 8))))
          .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  /** The numbers of different entities in one sample are as independent as those of a generator. */
  @Test
  void stratifiedNumbersOfEntitiesAreIndependent() {
    double mean = 0;
    double product = 0;
    double most = 0;
    for (int entity = 0; entity < 20_000; entity += 2) {
      double one = RandomStreams.of(2).at(entity).stratified(3, 16);
      double other = RandomStreams.of(2).at(entity + 1).stratified(3, 16);
      mean += (one + other) / 20_000;
      product += one * other / 10_000;
      most += Math.max(one, other) / 10_000;
    }
    assertThat(mean).isCloseTo(0.5, within(0.01));
    assertThat(product).isCloseTo(0.25, within(0.01));
    assertThat(most).isCloseTo(2 / 3.0, within(0.01));
  }

  private static long first(RandomStreams streams) {
    return streams.open().nextLong();
  }
}
