package io.elastune.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "90s, PT90S",
    "45m, PT45M",
    "3h, PT3H",
    "14d, P14D",
    "1h30m, PT90M",
    "1d2h3m4.5s, PT26H3M4.5S",
    "429.9s, PT7M9.9S",
    "0.5h, PT30M",
    "0s, PT0S",
    "3650d, P3650D",
    "0.000000001s, PT0.000000001S"
  })
  void readsNumbersWithUnits(String text, String expected) {
    assertThat(Durations.parse(text)).contains(Duration.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "3",
        "h",
        "3 h",
        "-3h",
        "3ms",
        "3x",
        "30m1h",
        "1h1h",
        "1e3s",
        "3651d",
        "999999999d",
        "1.s",
        ".5h",
        "3H",
        "²s"
      })
  void rejectsOtherText(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }

  @Test
  void exactTextReadsBackEqual() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long seconds = random.nextLong(Durations.LONGEST.toSeconds()) >> random.nextInt(28);
      long nanos = random.nextInt(3) == 0 ? random.nextLong(1_000_000_000) : 0;
      Duration duration = Duration.ofSeconds(seconds, nanos);
      assertThat(Durations.parse(Durations.formatExact(duration))).contains(duration);
    }
    assertThat(Durations.formatExact(Duration.ofMinutes(151))).isEqualTo("2h31m");
    assertThat(Durations.formatExact(Duration.ZERO)).isEqualTo("0s");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "0.04, 0s",
    "1.3, 1.3s",
    "2.0, 2s",
    "9.96, 10s",
    "47.2, 47s",
    "59.6, 1m",
    "90, 1m30s",
    "125, 2m05s",
    "599.4, 9m59s",
    "720, 12m",
    "3599.9, 1h00m",
    "9060, 2h31m",
    "10800, 3h00m",
    "172800, 2d00h",
    "-90, -1m30s",
    "Infinity, ∞",
    "NaN, ?"
  })
  void formatsSecondsForScreens(double seconds, String expected) {
    assertThat(Durations.format(seconds)).isEqualTo(expected);
  }

  @Test
  void formatsDurations() {
    assertThat(Durations.format(Duration.ofMillis(1300))).isEqualTo("1.3s");
  }
}
