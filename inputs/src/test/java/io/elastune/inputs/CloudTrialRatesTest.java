package io.elastune.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.profiler.history.AttemptCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault rates of trials on offers from cloud providers. */
class CloudTrialRatesTest {
  private static final String OFFER = "aws/us-east-1/g6.xlarge/spot";

  @Test
  void jobWithoutHistoryHasTheShippedRates() {
    assertThat(CloudTrialRates.rates(List.of())).isEqualTo(DefaultFaultRates.TRIALS);
  }

  @Test
  void failedAttemptsRaiseTheRateOfCrashes() {
    TrialFaultRates rates =
        CloudTrialRates.rates(
            List.of(
                new AttemptCounts(OFFER, 60, 7, 10 * 3600.0),
                new AttemptCounts("gcp/us-west1/g2/spot", 40, 3, 10 * 3600.0)));

    assertThat(rates.crashes().value()).isBetween(0.4, 0.6); // 10 in 20 h
    assertThat(rates.crashes().source()).endsWith("; own runs: 10 in 20 h");
    assertThat(rates.hangs()).isEqualTo(DefaultFaultRates.TRIALS.hangs());
    assertThat(rates.tornCheckpoint()).isEqualTo(DefaultFaultRates.TRIALS.tornCheckpoint());
  }

  @Test
  void manyHoursWithoutFailuresLowerIt() {
    assertThat(
            CloudTrialRates.rates(List.of(new AttemptCounts(OFFER, 100, 0, 1000 * 3600.0)))
                .crashes()
                .value())
        .isLessThan(DefaultFaultRates.TRIALS.crashes().value() / 5);
  }
}
