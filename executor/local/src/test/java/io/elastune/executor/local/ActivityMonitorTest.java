package io.elastune.executor.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signs of life of an attempt. */
class ActivityMonitorTest {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");

  private static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  @Test
  void outputAndCpuActivityAreSignsOfLife() {
    ActivityMonitor monitor = new ActivityMonitor(START);
    assertThat(monitor.silenceS(at(7))).isEqualTo(7);
    monitor.output(at(10));
    assertThat(monitor.silenceS(at(12))).isEqualTo(2);

    monitor.sample(Map.of(1L, 0.5), at(20));
    assertThat(monitor.silenceS(at(21))).isEqualTo(1);
    monitor.sample(Map.of(1L, 0.5), at(30));
    assertThat(monitor.silenceS(at(30))).as("no CPU time was used").isEqualTo(10);
    monitor.sample(Map.of(1L, 0.5, 2L, 0.1), at(40));
    assertThat(monitor.silenceS(at(40))).as("by a new process").isZero();
    monitor.sample(Map.of(1L, 0.6), at(50));
    assertThat(monitor.silenceS(at(50))).as("while another one ended").isZero();
  }

  @Test
  void pollingIsNoActivity() {
    ActivityMonitor monitor = new ActivityMonitor(START);
    for (int sample = 1; sample <= 20; sample++) {
      monitor.sample(
          Map.of(1L, 0.01 * Math.floorDiv(sample, 2)), at(5 * sample)); // 0.1 % of a core
    }
    assertThat(monitor.silenceS(at(100))).isEqualTo(100);
  }
}
