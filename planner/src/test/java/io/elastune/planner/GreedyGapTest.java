package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.combine.JobSearch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares greedy search with the proven optimum, on successive halving with published scaling. */
class GreedyGapTest {
  private static final int JOBS = 120;
  private static final double MEAN_GAP = 0.003;
  private static final double WORST_GAP = 0.05;

  @Test
  void greedySearchIsCloseToTheOptimum() {
    Random slack = new Random(7);
    List<Double> gaps = new ArrayList<>();
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.halving(seed);
      JobSearch greedy = TestJobs.search(problem);
      greedy.hasten();
      double fastestS =
          greedy.front(Double.POSITIVE_INFINITY).fastest().orElseThrow().completionS();
      double deadlineS = fastestS * (1.05 + 3.95 * slack.nextDouble());
      greedy.descend(deadlineS);
      double greedyUsd = greedy.front(deadlineS).cheapestWithin(deadlineS).orElseThrow().costUsd();
      assertThat(greedy.searchExactly(deadlineS, deadlineS, 10_000_000))
          .as("seed %d", seed)
          .isTrue();
      gaps.add(greedyUsd / greedy.leastUsd(deadlineS) - 1);
    }
    double mean = gaps.stream().mapToDouble(Double::doubleValue).average().orElseThrow();

    assertThat(gaps).allMatch(gap -> gap > -1e-9);
    assertThat(mean).isLessThanOrEqualTo(MEAN_GAP);
    assertThat(Collections.max(gaps)).isLessThanOrEqualTo(WORST_GAP);
  }
}
