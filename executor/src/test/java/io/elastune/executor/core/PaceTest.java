package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How fast trials are taken to be, by what they have reported. */
class PaceTest {
  /** Of a unit of 10 s whose spread is a tenth. */
  private static final double VARIANCE_S2 = 1;

  @Test
  void withoutSpreadASingleReportTellsAll() {
    assertThat(Pace.UNKNOWN.plus(10, 20, 0).factor()).isEqualTo(2);
    assertThat(Pace.UNKNOWN.factor()).isEqualTo(1);
  }

  @Test
  void whatMayBeChanceIsTakenForChance() {
    assertThat(Pace.UNKNOWN.plus(10, 11.9, VARIANCE_S2).factor()).isEqualTo(1);
    assertThat(Pace.UNKNOWN.plus(10, 8.1, VARIANCE_S2).factor()).isEqualTo(1);
    assertThat(Pace.UNKNOWN.plus(10, 20, VARIANCE_S2).factor()).isBetween(1.9, 2.0);
  }

  @Test
  void manyReportsTellSmallDifferencesAndNeverMakeItJump() {
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
  void aReportThatClocksMakeNonsenseOfSaysLittle() {
    assertThat(Pace.UNKNOWN.plus(10, -50, 0).observedS()).isZero();
    assertThat(Pace.UNKNOWN.plus(10, 1e9, 0).observedS()).isEqualTo(100);
  }
}
