package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MeasuredTimesTest {
  private static final PolicyView.Timing PROFILE = new PolicyView.Timing(1000, 20, 30);

  @Test
  void replaceTheProfileOnceThereAreFive() {
    MeasuredTimes units = MeasuredTimes.NONE;
    for (double seconds : new double[] {40, 10, 30, 100}) {
      units = units.withUnit(seconds);
    }
    assertThat(units.replacing(PROFILE)).isEqualTo(PROFILE);
    assertThat(units.withUnit(50).replacing(PROFILE))
        .isEqualTo(new PolicyView.Timing(1000, 20, 40));

    MeasuredTimes startups = MeasuredTimes.NONE;
    for (double seconds : new double[] {8, -3, 6, 2}) {
      startups = startups.withStartup(seconds);
    }
    assertThat(startups.replacing(PROFILE)).isEqualTo(PROFILE);
    // Of 0, 2, 4, 6 and 8, 60 % of the way from the fourth to the fifth.
    assertThat(startups.withStartup(4).replacing(PROFILE).startupS()).isCloseTo(7.2, within(1e-12));
  }

  /** Thousands of numbers, many of them equal, against a sorted list. */
  @Test
  void quantilesAreThoseOfASortedList() {
    Random random = new Random(7);
    List<Double> all = new ArrayList<>();
    OrderedValues values = OrderedValues.NONE;
    for (int i = 0; i < 3000; i++) {
      double value = random.nextBoolean() ? random.nextInt(50) : random.nextGaussian();
      all.add(value);
      values = values.with(value);
      if (i % 100 == 0 || i < 10) {
        List<Double> sorted = all.stream().sorted().toList();
        assertThat(values.quantile(0)).isEqualTo(sorted.get(0));
        assertThat(values.quantile(0.5))
            .isEqualTo((sorted.get(i / 2) + sorted.get((i + 1) / 2)) / 2, within(1e-12));
        assertThat(values.quantile(1)).isEqualTo(sorted.get(i));
        assertThat(values.size()).isEqualTo(i + 1);
      }
    }
  }

  /** So the order of reports at the same time does not matter. */
  @Test
  void theirOrderDoesNotMatter() {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      seconds.add((i * 7919 % 1009) / 3.0);
    }
    PolicyView.Timing expected = times(seconds).replacing(PROFILE);
    Collections.shuffle(seconds, new Random(1));

    assertThat(times(seconds).replacing(PROFILE)).isEqualTo(expected);
  }

  private static MeasuredTimes times(List<Double> seconds) {
    MeasuredTimes times = MeasuredTimes.NONE;
    for (double value : seconds) {
      times = times.withStartup(value).withUnit(2 * value);
    }
    return times;
  }
}
