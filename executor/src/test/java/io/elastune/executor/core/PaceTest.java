package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The ratio of measured to profiled time after reports. */
class PaceTest {
  /** The variance of a unit of 10 s with a coefficient of variation of 0.1. */
  private static final double VARIANCE_S2 = 1;

  @Test
  void oneReportSufficesWithoutSpread() {
    assertThat(Pace.UNKNOWN.plus(10, 20, 0).factor()).isEqualTo(2);
    assertThat(Pace.UNKNOWN.factor()).isEqualTo(1);
  }

  @Test
  void deviationsWithinChanceAreIgnored() {
    assertThat(Pace.UNKNOWN.plus(10, 11.9, VARIANCE_S2).factor()).isEqualTo(1);
    assertThat(Pace.UNKNOWN.plus(10, 8.1, VARIANCE_S2).factor()).isEqualTo(1);
    assertThat(Pace.UNKNOWN.plus(10, 20, VARIANCE_S2).factor()).isBetween(1.9, 2.0);
  }

  @Test
  void ratioConvergesWithoutJumps() {
    Pace pace = Pace.UNKNOWN;
    double before = 1;
    for (int report = 0; report < 400; report++) {
      pace = pace.plus(10, 11, VARIANCE_S2);
      assertThat(pace.factor()).isBetween(before, Math.min(1.1, before + 0.03));
      before = pace.factor();
    }
    assertThat(before).isEqualTo(1.1, within(0.01));
  }

  @Test
  void invalidTimesCountLittle() {
    assertThat(Pace.UNKNOWN.plus(10, -50, 0).observedS()).isZero();
    assertThat(Pace.UNKNOWN.plus(10, 1e9, 0).observedS()).isEqualTo(100);
  }
}
