package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CheckResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockSkewCheckTest {
  @Test
  void reportsWhichClockIsAhead() {
    assertThat(apart(0).detail()).isEqualTo("AWS's clock and this machine's agree to the second");
    assertThat(apart(3).detail()).isEqualTo("AWS's clock is 3 s ahead of this machine's");
    assertThat(apart(-2).detail()).isEqualTo("AWS's clock is 2 s behind this machine's");
  }

  @Test
  void acceptsSkewUpToOneMinute() {
    assertThat(apart(60).ok()).isTrue();
    assertThat(apart(-60).ok()).isTrue();
    for (int seconds : new int[] {61, -61}) {
      assertThat(apart(seconds).ok()).as("%d s", seconds).isFalse();
      assertThat(apart(seconds).remedy()).contains("NTP");
    }
  }

  private static CheckResult apart(int seconds) {
    return ClockSkewCheck.check("clock", "AWS", Duration.ofSeconds(seconds));
  }
}
