package io.elastune.planner.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the split of instances among chains with all splits. */
class KnapsackAllocationTest {
  private static final int JOBS = 200;

  @Test
  void noOtherSplitCostsLess() {
    for (long seed = 0; seed < JOBS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int chains = 1 + random.nextInt(4);
      int instances = chains + random.nextInt(6);
      double[][] usd = new double[chains][instances + 1];
      for (double[] own : usd) {
        for (int count = 0; count <= instances; count++) {
          own[count] = random.nextInt(6) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble();
        }
      }
      KnapsackAllocation best =
          KnapsackAllocation.best(chains, instances, (chain, count) -> usd[chain][count]);
      double leastUsd = leastUsd(usd, 0, instances);

      if (Double.isInfinite(leastUsd)) {
        assertThat(best.usd()).as("seed %d", seed).isInfinite();
      } else {
        assertThat(best.usd()).as("seed %d", seed).isCloseTo(leastUsd, within(1e-12));
        assertThat(IntStream.of(best.caps()).sum())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(instances);
        double sumUsd =
            IntStream.range(0, chains).mapToDouble(chain -> usd[chain][best.caps()[chain]]).sum();
        assertThat(sumUsd).as("seed %d", seed).isCloseTo(leastUsd, within(1e-12));
      }
    }
  }

  /** Returns the least cost of the chains from one on, by enumeration. */
  private static double leastUsd(double[][] usd, int chain, int instances) {
    if (chain == usd.length) {
      return 0;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int own = 1; own <= instances; own++) {
      least = Math.min(least, usd[chain][own] + leastUsd(usd, chain + 1, instances - own));
    }
    return least;
  }
}
