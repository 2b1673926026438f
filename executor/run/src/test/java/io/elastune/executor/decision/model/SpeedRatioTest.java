package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The ratio of measured to profiled time after reports. */
class SpeedRatioTest {
  /** The variance of a unit of 10 s with a coefficient of variation of 0.1. */
  private static final double VARIANCE_S2 = 1;

  private static SpeedRatio after(int reports, double observedS, double varianceS2) {
    SpeedRatio ratio = SpeedRatio.NO_REPORTS;
    for (int i = 0; i < reports; i++) {
      ratio = ratio.afterReport(10, observedS, varianceS2);
    }
    return ratio;
  }

  @Test
  void fewReportsDoNotChangeTheRatio() {
    assertThat(after(SpeedRatio.MIN_REPORTS - 1, 20, 0).factor()).isEqualTo(1);
    assertThat(after(SpeedRatio.MIN_REPORTS, 20, 0).factor()).isEqualTo(2);
  }

  @Test
  void deviationsWithinChanceAreIgnored() {
    double chanceS = 2 / Math.sqrt(SpeedRatio.MIN_REPORTS); // of the mean of so many reports
    assertThat(after(SpeedRatio.MIN_REPORTS, 10 + 0.9 * chanceS, VARIANCE_S2).factor())
        .isEqualTo(1);
    assertThat(after(SpeedRatio.MIN_REPORTS, 10 - 0.9 * chanceS, VARIANCE_S2).factor())
        .isEqualTo(1);
    assertThat(after(SpeedRatio.MIN_REPORTS, 20, VARIANCE_S2).factor()).isBetween(1.9, 2.0);
  }

  @Test
  void ratioConvergesWithoutJumps() {
    SpeedRatio speedRatio = SpeedRatio.NO_REPORTS;
    double before = 1;
    for (int report = 0; report < 400; report++) {
      speedRatio = speedRatio.afterReport(10, 11, VARIANCE_S2);
      assertThat(speedRatio.factor()).isBetween(before, Math.min(1.1, before + 0.03));
      before = speedRatio.factor();
    }
    assertThat(before).isEqualTo(1.1, within(0.01));
  }

  @Test
  void invalidTimesCountLittle() {
    assertThat(SpeedRatio.NO_REPORTS.afterReport(10, -50, 0).observedS()).isZero();
    assertThat(SpeedRatio.NO_REPORTS.afterReport(10, 1e9, 0).observedS()).isEqualTo(100);
  }
}
