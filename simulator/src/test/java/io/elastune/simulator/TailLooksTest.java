package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.properties.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ranks of the bounds: with one rank less, too many runs need more than their guard. */
class TailLooksTest {
  private static final int[] GROWING = {3968, 5568, 7808, 10_944, 15_296};

  /**
   * Ten of a thousand samples are expected beyond the quantile. A binomial count with that mean is
   * at most 4 with a probability of 2.9 %, at most 5 with 6.6 %, at most 14 with 91.8 %, and at
   * most 15 with 95.2 %.
   */
  @Test
  void boundsOfOneLookAreRanksOfTheBinomialDistribution() {
    TailLooks looks = new TailLooks(new int[] {1000}, 0.01, 0.05);
    TailLooks.Look look = looks.next();

    assertThat(looks.hasNext()).isFalse();
    assertThat(look.upper(ascending(1000))).as("exceeded by 4 samples").isEqualTo(995);
    assertThat(look.lower(ascending(1000))).as("exceeded by 15 samples").isEqualTo(984);
  }

  @Test
  void highestSampleIsTheUpperBoundOfTheFewestSamples() {
    int fewest = TailLooks.fewest(0.01, 0.95);

    assertThat(fewest).as("none of them is beyond with 4.98 %").isEqualTo(299);
    assertThat(new TailLooks(new int[] {fewest}, 0.01, 0.05).next().upper(ascending(fewest)))
        .isEqualTo(fewest - 1);
    TailLooks tooFew = new TailLooks(new int[] {fewest - 1}, 0.01, 0.05);
    assertThatThrownBy(tooFew::next)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("298 samples are too few for an upper bound");
  }

  /** Alone, no look has a higher error than all of them together. */
  @ParameterizedTest
  @CsvSource({"0.001, 0.05", "0.001, 0.04", "0.002, 0.01"})
  void eachLookHasTheStatedConfidence(double exceeded, double error) {
    for (TailLooks.Look look : all(exceeded, error)) {
      BinomialDistribution beyond = BinomialDistribution.of(look.samples(), exceeded);
      assertThat(beyond.cumulativeProbability(look.aboveUpper())).isLessThanOrEqualTo(error);
      assertThat(beyond.survivalProbability(look.aboveLower())).isLessThanOrEqualTo(error);
    }
  }

  /** The bounds of any look are wrong with at most the stated error, which they nearly have. */
  @Test
  void allLooksTogetherHaveTheStatedError() {
    List<TailLooks.Look> looks = all(0.001, 0.05);
    int walks = Tier.runs(20_000, 1_000_000);
    Random random = new Random(1);
    int tooLow = 0;
    int tooHigh = 0;
    for (int walk = 0; walk < walks; walk++) {
      boolean isUpperTooLow = false;
      boolean isLowerTooHigh = false;
      int beyond = 0;
      int next = (int) geometric(random);
      for (TailLooks.Look look : looks) {
        while (next < look.samples()) {
          beyond++;
          next += 1 + (int) geometric(random);
        }
        isUpperTooLow |= beyond <= look.aboveUpper();
        isLowerTooHigh |= beyond > look.aboveLower();
      }
      tooLow += isUpperTooLow ? 1 : 0;
      tooHigh += isLowerTooHigh ? 1 : 0;
    }

    assertThat(tooLow / (double) walks).isCloseTo(0.046, within(0.007));
    assertThat(tooHigh / (double) walks).isCloseTo(0.046, within(0.007));
  }

  /** Returns how many samples are not beyond the 99.9th percentile before the next one is. */
  private static double geometric(Random random) {
    return Math.log1p(-random.nextDouble()) / Math.log1p(-0.001);
  }

  private static List<TailLooks.Look> all(double exceeded, double error) {
    TailLooks looks = new TailLooks(GROWING, exceeded, error);
    assertThat(looks.most()).isEqualTo(15_296);
    List<TailLooks.Look> all = new ArrayList<>();
    while (looks.hasNext()) {
      all.add(looks.next());
    }
    assertThat(all)
        .extracting(TailLooks.Look::samples)
        .containsExactly(3968, 5568, 7808, 10_944, 15_296);
    return all;
  }

  private static double[] ascending(int samples) {
    return IntStream.range(0, samples).asDoubleStream().toArray();
  }
}
