package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.RankCorrelation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RankCorrelationFitTest {
  private static final int RUNS = 40;

  /** Of 200 trials, those with the best 50 results are promoted. */
  @Test
  void correctsForTheSelection() {
    for (double correlation : List.of(0.5, 0.8, 0.95)) {
      List<RankCorrelation> fits = new ArrayList<>();
      for (int run = 0; run < RUNS; run++) {
        fits.add(RankCorrelationFit.of(results(run, correlation, 200, 50)).orElseThrow());
      }

      double mean = fits.stream().mapToDouble(RankCorrelation::value).average().orElseThrow();
      double error =
          fits.stream().mapToDouble(RankCorrelation::standardError).average().orElseThrow();
      long within =
          fits.stream()
              .filter(fit -> Math.abs(fit.value() - correlation) <= 2 * fit.standardError())
              .count();
      assertThat(mean).isCloseTo(correlation, within(3 * error / Math.sqrt(RUNS) + 0.02));
      assertThat(within).isGreaterThanOrEqualTo(RUNS * 85 / 100);
      assertThat(fits).allMatch(fit -> fit.trials() == 50);
    }
  }

  @Test
  void needsThirtyTrialsInTwoRungs() {
    assertThat(RankCorrelationFit.of(results(1, 0.9, 100, 29))).isEmpty();
    assertThat(RankCorrelationFit.of(results(1, 0.9, 100, 30))).isPresent();
    assertThat(RankCorrelationFit.of(List.of())).isEmpty();
  }

  @Test
  void weighsRunsByTheirTrials() {
    RankCorrelation combined =
        RankCorrelationFit.combined(
                List.of(new RankCorrelation(0.9, 0.03, 30), new RankCorrelation(0.6, 0.04, 60)))
            .orElseThrow();

    assertThat(combined.value()).isCloseTo(0.7, within(1e-12));
    assertThat(combined.standardError()).isCloseTo(Math.hypot(0.01, 0.08 / 3), within(1e-12));
    assertThat(combined.trials()).isEqualTo(90);
  }

  private static List<Map<Integer, Double>> results(
      long seed, double correlation, int trials, int promoted) {
    Random random = new Random(seed);
    Map<Integer, Double> lower = new TreeMap<>();
    Map<Integer, Double> all = new TreeMap<>();
    for (int trial = 1; trial <= trials; trial++) {
      double quality = random.nextGaussian();
      lower.put(trial, noisy(quality, correlation, random));
      all.put(trial, Math.exp(noisy(quality, correlation, random))); // only ranks matter
    }
    Map<Integer, Double> upper = new TreeMap<>();
    lower.keySet().stream()
        .sorted(Comparator.comparing(lower::get))
        .limit(promoted)
        .forEach(trial -> upper.put(trial, all.get(trial)));
    return List.of(lower, upper);
  }

  private static double noisy(double quality, double correlation, Random random) {
    return Math.sqrt(correlation) * quality + Math.sqrt(1 - correlation) * random.nextGaussian();
  }
}
