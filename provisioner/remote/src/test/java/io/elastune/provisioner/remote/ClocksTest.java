package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Finding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClocksTest {
  @Test
  void saysWhichOneIsAhead() {
    assertThat(apart(0).detail()).isEqualTo("AWS's clock and ours agree to the second");
    assertThat(apart(3).detail()).isEqualTo("AWS's clock is 3 s ahead of ours");
    assertThat(apart(-2).detail()).isEqualTo("AWS's clock is 2 s behind ours");
  }

  @Test
  void aMinuteApartWillDoEitherWay() {
    assertThat(apart(60).ok()).isTrue();
    assertThat(apart(-60).ok()).isTrue();
    for (int seconds : new int[] {61, -61}) {
      assertThat(apart(seconds).ok()).as("%d s", seconds).isFalse();
      assertThat(apart(seconds).remedy()).contains("NTP");
    }
  }

  private static Finding apart(int seconds) {
    return Clocks.finding("clock", "AWS", Duration.ofSeconds(seconds));
  }
}
