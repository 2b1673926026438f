package io.elastune.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SecondsTest {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00.25Z");

  @Test
  void measuresToTheNanosecondInBothDirections() {
    Instant later = START.plusNanos(3_500_000_001L);

    assertThat(Seconds.between(START, later)).isEqualTo(3.500000001);
    assertThat(Seconds.between(later, START)).isEqualTo(-3.500000001);
  }

  @Test
  void addsSecondsToAnInstant() {
    assertThat(Seconds.between(START, Seconds.after(START, 242.163))).isEqualTo(242.163);
    assertThat(Seconds.after(START, 1e-9)).isEqualTo(START.plusNanos(1));
  }

  @Test
  void measuresSpansThatOverflowNanoseconds() {
    assertThat(Seconds.between(Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z")))
        .isGreaterThan(2.5e11);
    assertThat(Seconds.of(Duration.ofDays(365_000))).isEqualTo(365_000 * 86_400.0);
  }
}
