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

  /** The run's time never goes back: it waits for a clock that is behind. */
  @Test
  void timeStandsStillWhileTheClockIsBehindTheJournal() {
    ClockError behind = ClockError.resumed(CLOUD, CLOUD.plusSeconds(50));

    assertThat(behind.aheadS()).isEqualTo(ClockError.MOST_S);
    assertThat(behind.isStill(CLOUD.plusSeconds(50))).isTrue();
    assertThat(behind.isStill(CLOUD.plusSeconds(51))).isFalse();
    assertThat(behind.reported(CLOUD, CLOUD.plusSeconds(50)).isStill(CLOUD.plusSeconds(50)))
        .isTrue();
    assertThat(ClockError.resumed(CLOUD, CLOUD)).isEqualTo(ClockError.UNKNOWN);
    assertThat(ClockError.UNKNOWN.isStill(CLOUD)).isFalse();
  }

  @Test
  void growsWhenTheClockMayHaveJumped() {
    ClockError clock = ClockError.UNKNOWN.reported(CLOUD, CLOUD);

    assertThat(clock.jumped(30).aheadS()).isEqualTo(30 + TICK_S);
    assertThat(clock.jumped(4000)).isEqualTo(ClockError.UNKNOWN);
  }
}
