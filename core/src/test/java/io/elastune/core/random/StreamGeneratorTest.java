package io.elastune.core.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class StreamGeneratorTest {
  /** Predictions are the same as those of earlier releases, which used the JDK's class. */
  @Test
  void drawsTheNumbersOfTheJdk() {
    RandomGeneratorFactory<RandomGenerator> jdk = RandomGeneratorFactory.of("L64X128MixRandom");
    for (long key = -50; key < 50; key++) {
      long seed = key * 0x9E3779B97F4A7C15L;
      RandomGenerator expected = jdk.create(seed);
      StreamGenerator random = new StreamGenerator(seed);
      for (int i = 0; i < 20; i++) {
        assertThat(random.nextLong())
            .as("number %s of seed %s", i, seed)
            .isEqualTo(expected.nextLong());
      }
    }
  }

  @Test
  void drawsFractionsOneByOneAndTogether() {
    StreamGenerator one = new StreamGenerator(7);
    StreamGenerator all = new StreamGenerator(7);
    double[] together = new double[12];

    all.fractions(together, 1, 4);
    all.fractions(together, 5, 6);

    assertThat(together[0]).isZero();
    assertThat(together[11]).isZero();
    for (int i = 1; i < 11; i++) {
      assertThat(together[i]).isEqualTo(one.nextFraction()).isBetween(0.0, 1.0);
    }
    assertThat(all.nextLong()).isEqualTo(one.nextLong());
  }
}
