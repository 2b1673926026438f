package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Start-up and unit time, learned separately. */
class MeasuredSpeedTest {
  /** Stumble B4: a start-up of 8 s was profiled, because it was the first on the machine. */
  private static final TrialDuration COLD = new TrialDuration(8, 0, 1, 0, 0);

  private static MeasuredSpeed first(MeasuredSpeed speed, int times, int count, double tookS) {
    MeasuredSpeed after = speed;
    for (int i = 0; i < times; i++) {
      after = after.afterFirstReport(COLD, count, tookS);
    }
    return after;
  }

  private static MeasuredSpeed later(MeasuredSpeed speed, int times, int count, double tookS) {
    MeasuredSpeed after = speed;
    for (int i = 0; i < times; i++) {
      after = after.afterLaterReport(COLD, 1, count, tookS);
    }
    return after;
  }

  @Test
  void shortStartupsAreNoFastUnits() {
    MeasuredSpeed speed = first(MeasuredSpeed.NO_REPORTS, 100, 1, 1.3);

    assertThat(speed.factor()).isEqualTo(1);
    assertThat(speed.startupShiftS()).as("a fast unit would explain it too").isZero();

    MeasuredSpeed known = later(speed, SpeedRatio.MIN_REPORTS, 1, 1);
    assertThat(known.factor()).isEqualTo(1);
    assertThat(known.startupShiftS()).isEqualTo(0.3 - 8, within(1e-9));
  }

  @Test
  void longStartupsAreNoSlowUnits() {
    MeasuredSpeed speed = first(MeasuredSpeed.NO_REPORTS, 100, 1, 16);

    assertThat(speed.factor()).isEqualTo(1);
    assertThat(speed.startupShiftS()).isEqualTo(7, within(1e-9));
  }

  @Test
  void slowUnitsThatNoStartupExplainsAreSlow() {
    MeasuredSpeed speed = first(MeasuredSpeed.NO_REPORTS, SpeedRatio.MIN_REPORTS, 100, 208);

    assertThat(speed.factor()).isBetween(1.8, 2.0);
    assertThat(later(speed, SpeedRatio.MIN_REPORTS, 100, 200).factor()).isEqualTo(2);
  }

  @Test
  void sparseReportsCountAllTheirUnits() {
    MeasuredSpeed speed = later(MeasuredSpeed.NO_REPORTS, SpeedRatio.MIN_REPORTS, 50, 75);

    assertThat(speed.factor()).isEqualTo(1.5);
    assertThat(speed.reportUnits()).isEqualTo(50);
  }

  @Test
  void fewReportsChangeNothing() {
    int few = SpeedRatio.MIN_REPORTS - 1;
    MeasuredSpeed speed = later(first(MeasuredSpeed.NO_REPORTS, few, 1, 100), few, 1, 100);

    assertThat(speed.factor()).isEqualTo(1);
    assertThat(speed.startupShiftS()).isZero();
  }
}
