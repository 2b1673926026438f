package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ranks of the bounds: with one rank less, too many runs need more than their guard. */
class TailBoundTest {
  /**
   * Ten of a thousand samples are expected beyond the quantile. A Poisson count with that mean is
   * at most 4 with a probability of 2.9 %, at most 5 with 6.7 %, and at most 14 with 91.7 %.
   */
  @Test
  void boundsAreRanksOfThePoissonDistribution() {
    TailBound bound = TailBound.of(ascending(1000), 0.01, 0.95);

    assertThat(bound.upper()).as("exceeded by 4 samples").isEqualTo(995);
    assertThat(bound.lower()).as("exceeded by 15 samples").isEqualTo(984);
  }

  @Test
  void highestSampleIsTheUpperBoundOfTheFewestSamples() {
    int fewest = TailBound.fewest(0.01, 0.95);

    assertThat(fewest).as("none of them is beyond with 4.98 %").isEqualTo(300);
    assertThat(TailBound.of(ascending(fewest), 0.01, 0.95).upper()).isEqualTo(299);
  }

  private static double[] ascending(int samples) {
    return IntStream.range(0, samples).asDoubleStream().toArray();
  }
}
