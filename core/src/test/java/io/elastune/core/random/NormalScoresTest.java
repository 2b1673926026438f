package io.elastune.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The expected values are from tables. */
class NormalScoresTest {
  @Test
  void quantilesAreThoseOfTables() {
    assertThat(NormalScores.quantile(0.5)).isZero();
    assertThat(NormalScores.quantile(0.975)).isCloseTo(1.959963984540054, within(1e-8));
    assertThat(NormalScores.quantile(0.99)).isCloseTo(2.326347874040841, within(1e-8));
    assertThat(NormalScores.quantile(0.001)).isCloseTo(-3.090232306167814, within(1e-8));
    assertThat(NormalScores.quantile(1e-6)).isCloseTo(-4.753424308822899, within(1e-7));
  }

  @Test
  void quantilesAreSymmetric() {
    for (double probability = 0.001; probability < 0.5; probability += 0.001) {
      assertThat(NormalScores.quantile(probability))
          .isCloseTo(-NormalScores.quantile(1 - probability), within(1e-9));
    }
  }
}
