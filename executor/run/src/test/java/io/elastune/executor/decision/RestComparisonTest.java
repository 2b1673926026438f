package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Preference;
import org.junit.jupiter.api.Test;

/** Tests when a plan is better by the preference of a run. */
class RestComparisonTest {
  /** Half the money for twice the time. */
  private static final RestComparison CHEAP = new RestComparison(3600, 10, 7200, 5);

  /** Half the time for twice the money. */
  private static final RestComparison FAST = new RestComparison(3600, 10, 1800, 20);

  /** Half the time for two percent more money. */
  private static final RestComparison BENT = new RestComparison(3600, 10, 1800, 10.2);

  @Test
  void wordsCompareOneFigure() {
    assertThat(CHEAP.isBetter(Preference.CHEAPEST)).isTrue();
    assertThat(CHEAP.isBetter(Preference.FASTEST)).isFalse();
    assertThat(FAST.isBetter(Preference.FASTEST)).isTrue();
    assertThat(FAST.isBetter(Preference.CHEAPEST)).isFalse();
  }

  /** A run that was approved as a compromise does not move to an end of the frontier. */
  @Test
  void balancedRunStaysBetweenTheEnds() {
    assertThat(CHEAP.isBetter(Preference.BALANCED)).isFalse();
    assertThat(FAST.isBetter(Preference.BALANCED)).isFalse();
    assertThat(BENT.isBetter(Preference.BALANCED)).isTrue();
    assertThat(new RestComparison(1800, 10.2, 3600, 10).isBetter(Preference.BALANCED)).isFalse();
  }

  /** Ten dollars more for half an hour less. */
  @Test
  void priceOfAnHourDecides() {
    assertThat(FAST.isBetter(Preference.hourWorth(19))).isFalse();
    assertThat(FAST.isBetter(Preference.hourWorth(25))).isTrue();
    assertThat(CHEAP.isBetter(Preference.hourWorth(1))).isTrue();
  }

  /** Differences within the error of the predictions are none. */
  @Test
  void littleIsNotBetter() {
    RestComparison little = new RestComparison(100, 10, 96, 9.6);
    assertThat(little.isBetter(Preference.CHEAPEST)).isFalse();
    assertThat(little.isBetter(Preference.FASTEST)).isFalse();
    assertThat(little.isBetter(Preference.BALANCED)).isFalse();
    assertThat(little.isBetter(Preference.hourWorth(5))).isFalse();
  }
}
