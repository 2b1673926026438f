package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockErrorTest {
  private static final Instant CLOUD = Instant.parse("2026-11-20T06:00:00Z");
  private static final double TICK_S = 2;

  @Test
  void isAtMostTheShortestDelayOfAReport() {
    ClockError clock = ClockError.UNKNOWN.reported(CLOUD, CLOUD.plusSeconds(40));

    assertThat(clock.aheadS()).isEqualTo(40 + TICK_S);
    assertThat(clock.reported(CLOUD, CLOUD.plusSeconds(90))).isEqualTo(clock);
    assertThat(clock.reported(CLOUD, CLOUD.plusSeconds(10)).aheadS()).isEqualTo(10 + TICK_S);
    assertThat(clock.reported(CLOUD, CLOUD.minusSeconds(10)).aheadS())
        .as("a clock that is behind")
        .isEqualTo(TICK_S);
    assertThat(ClockError.UNKNOWN.reported(CLOUD, CLOUD.plusSeconds(4000)))
        .isEqualTo(ClockError.UNKNOWN);
  }

  @Test
  void growsWhenTheClockMayHaveJumped() {
    ClockError clock = ClockError.UNKNOWN.reported(CLOUD, CLOUD);

    assertThat(clock.jumped(30).aheadS()).isEqualTo(30 + TICK_S);
    assertThat(clock.jumped(4000)).isEqualTo(ClockError.UNKNOWN);
  }
}
