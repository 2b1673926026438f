package io.elastune.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Limits;
import io.elastune.planner.api.PlanResult;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MostTrialsTest {
  @Test
  void findsTheMostTrialsWithinOnePercent() {
    for (int all : new int[] {2, 3, 10, 64, 100, 1_000, 86_400}) {
      for (int most = 1; most < all; most += 1 + most / 3) {
        for (double guess : new double[] {0, 0.3, 1, 1.1, 3, 1e9}) {
          List<Integer> tried = new ArrayList<>();
          int limit = most;
          int found =
              MostTrials.find(
                      all,
                      all * guess / most,
                      trials -> {
                        tried.add(trials);
                        return trials <= limit;
                      },
                      () -> false,
                      (done, atMost) -> assertThat(done).isLessThan(atMost))
                  .orElseThrow();
          String job = all + " trials, " + most + " meet the limits, guess " + guess;
          assertThat(found).as(job).isBetween(most - most / 100, most);
          assertThat(tried).as(job).doesNotHaveDuplicates().allMatch(trials -> trials < all);
        }
      }
    }
  }

  /** For 86,400 trials of which 2,000 meet the limits, large numbers are not planned. */
  @Test
  void beginsNearTheResult() {
    List<Integer> tried = new ArrayList<>();
    MostTrials.find(
        86_400,
        40,
        trials -> {
          tried.add(trials);
          return trials <= 2_000;
        },
        () -> false,
        SamplingProgress.NONE);

    assertThat(tried).hasSizeLessThan(10).allMatch(trials -> trials < 2_500);
  }

  @Test
  void findsNothingIfASingleTrialMissesTheLimitsOrTheTimeIsOver() {
    assertThat(MostTrials.find(64, 100, trials -> false, () -> false, SamplingProgress.NONE))
        .isEqualTo(OptionalInt.empty());
    assertThat(MostTrials.find(64, 2, trials -> true, () -> true, SamplingProgress.NONE))
        .isEqualTo(OptionalInt.empty());
  }

  @Test
  void overrunIsTheLargestRatioToALimit() {
    Limits limits = new Limits(OptionalDouble.of(100), OptionalDouble.of(20), 0.9, 4, 1e9);
    PlanResult.Nearest nearest =
        new PlanResult.Nearest(OptionalDouble.of(250), OptionalDouble.of(60), true);

    assertThat(MostTrials.overrun(limits, nearest)).isEqualTo(3);
    assertThat(
            MostTrials.overrun(
                new Limits(OptionalDouble.of(100), OptionalDouble.empty(), 0.9, 4, 1e9),
                new PlanResult.Nearest(OptionalDouble.of(250), OptionalDouble.empty(), false)))
        .isEqualTo(2.5);
  }
}
