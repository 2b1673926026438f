package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReportLimiterTest {
  /** The first hundred reports, and ten per second after them. */
  @Test
  void limitsReportsOfMilliseconds() {
    ReportLimiter limiter = new ReportLimiter();
    int recorded = 0;
    for (int ms = 0; ms < 10_000; ms++) {
      recorded += limiter.permits(Instant.EPOCH.plusMillis(ms)) ? 1 : 0;
    }
    assertThat(recorded).isBetween(198, 200);
  }

  @Test
  void recordsEveryReportOfSlowerTrials() {
    ReportLimiter limiter = new ReportLimiter();
    for (int report = 0; report < 1000; report++) {
      assertThat(limiter.permits(Instant.EPOCH.plusMillis(200L * report))).isTrue();
    }
  }

  @Test
  void clockThatStepsBackRecordsNothingMore() {
    ReportLimiter limiter = new ReportLimiter();
    for (int report = 0; report < 100; report++) {
      assertThat(limiter.permits(Instant.EPOCH)).isTrue();
    }
    assertThat(limiter.permits(Instant.EPOCH.minusSeconds(60))).isFalse();
  }
}
