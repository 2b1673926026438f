package io.elastune.plan.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AffordableTrialsTest {
  private final List<Integer> planned = new ArrayList<>();

  private OptionalInt find(int all, int fitting, double share) {
    planned.clear();
    return AffordableTrials.find(
        all,
        all <= fitting,
        share,
        trials -> {
          planned.add(trials);
          return trials <= fitting;
        });
  }

  @Test
  void countIsWithinTwoPercent() {
    for (int fitting : List.of(7, 40, 64, 65, 130, 300)) {
      int found = find(64, fitting, fitting / 50.0).orElseThrow();
      assertThat(found).isBetween(fitting - Math.max(1, fitting / 50), fitting);
      assertThat(planned).hasSizeLessThanOrEqualTo(10);
    }
  }

  /** The number of plans depends on the job, and not on the load of the machine. */
  @Test
  void jobsOfManyTrialsTakeFewPlans() {
    assertThat(find(4096, 9_000, 2).orElseThrow()).isBetween(8_000, 9_000);
    assertThat(planned).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void farMoreAndNoneAreNotCounted() {
    assertThat(find(64, 1_000_000, 50)).isEmpty();
    assertThat(find(64, 0, 0.5)).isEmpty();
  }
}
