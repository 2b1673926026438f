package io.elastune.planner.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Preference;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the rules of docs/planner.md for the plan that is chosen. */
class PreferenceOrderTest {
  private record Point(double seconds, double usd) {}

  private static final Point FASTEST = new Point(100, 10);
  private static final Point KNEE = new Point(104, 3);
  private static final Point CHEAPEST = new Point(400, 2.9);

  private static final List<Point> BENT = List.of(CHEAPEST, FASTEST, KNEE);
  private static final List<Point> PROPORTIONAL =
      List.of(new Point(100, 16), new Point(200, 8), new Point(400, 4), new Point(800, 2));

  @Test
  void wordsNameTheEnds() {
    assertThat(chosen(BENT, Preference.CHEAPEST, true)).isEqualTo(CHEAPEST);
    assertThat(chosen(BENT, Preference.CHEAPEST, false)).isEqualTo(CHEAPEST);
    assertThat(chosen(BENT, Preference.FASTEST, true)).isEqualTo(FASTEST);
    assertThat(chosen(BENT, Preference.FASTEST, false)).isEqualTo(FASTEST);
  }

  @Test
  void balancedIsTheBend() {
    assertThat(chosen(BENT, Preference.BALANCED, true)).isEqualTo(KNEE);
    assertThat(chosen(BENT, Preference.BALANCED, false)).isEqualTo(KNEE);
  }

  /** A gain of 0.1 is no knee, and still the highest. */
  @Test
  void balancedHasNoThreshold() {
    Point little = new Point(900, 2);
    List<Point> plans = List.of(new Point(800, 9), little, new Point(1000, 2));

    assertThat(chosen(plans, Preference.BALANCED, true)).isEqualTo(little);
  }

  /** Where time and cost change in proportion, nothing gains over the cheapest plan. */
  @Test
  void deadlineKeepsTheCheapestOfProportionalPlans() {
    assertThat(chosen(PROPORTIONAL, Preference.BALANCED, true)).isEqualTo(new Point(800, 2));
  }

  @Test
  void withoutDeadlineNoEndOfProportionalPlansIsChosen() {
    assertThat(chosen(PROPORTIONAL, Preference.BALANCED, false)).isEqualTo(new Point(400, 4));
  }

  /** Twice as fast for a thousandth more: no compromise is better than the end. */
  @Test
  void fastestPlanThatCostsHardlyMoreIsChosen() {
    Point fast = new Point(100, 2.002);
    List<Point> plans = List.of(fast, new Point(500, 2.001), new Point(800, 2));

    assertThat(chosen(plans, Preference.BALANCED, false)).isEqualTo(fast);
    assertThat(chosen(plans, Preference.BALANCED, true)).isEqualTo(fast);
  }

  @Test
  void fewerThanThreePlansHaveNoCompromise() {
    assertThat(chosen(List.of(FASTEST, CHEAPEST), Preference.BALANCED, false)).isEqualTo(CHEAPEST);
    assertThat(chosen(List.of(FASTEST), Preference.BALANCED, false)).isEqualTo(FASTEST);
  }

  /** From 104 to 100 s, seven dollars save four seconds: 6,300 dollars per hour. */
  @Test
  void priceOfAnHourDecides() {
    assertThat(chosen(BENT, Preference.hourWorth(6301), true)).isEqualTo(FASTEST);
    assertThat(chosen(BENT, Preference.hourWorth(6299), true)).isEqualTo(KNEE);
    assertThat(chosen(BENT, Preference.hourWorth(1), false)).isEqualTo(CHEAPEST);
  }

  @Test
  void plansThatCostNothingAreCompared() {
    List<Point> free = List.of(new Point(100, 0), new Point(200, 0), new Point(300, 0));

    assertThat(chosen(free, Preference.BALANCED, true)).isEqualTo(free.get(0));
    assertThat(chosen(free, Preference.BALANCED, false)).isEqualTo(free.get(0));
  }

  private static Point chosen(List<Point> plans, Preference preference, boolean hasDeadline) {
    return new PreferenceOrder<>(Point::seconds, Point::usd, preference, hasDeadline)
        .of(plans)
        .get(0);
  }
}
