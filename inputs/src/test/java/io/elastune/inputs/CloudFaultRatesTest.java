package io.elastune.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.profiler.history.FaultExposure;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fault rates of offers from cloud providers. */
class CloudFaultRatesTest {
  private static final Offer SPOT =
      new Offer(
          "aws/us-east-1",
          "g6.xlarge",
          "L4",
          1,
          Market.SPOT,
          0.3,
          PriceKind.LIST,
          BillingTerms.BY_THE_SECOND,
          Spread.exactly(30),
          Spread.exactly(60),
          0,
          0,
          0);

  @Test
  void offerWithoutHistoryHasTheShippedRates() {
    assertThat(CloudFaultRates.rates(SPOT, Map.of()))
        .isEqualTo(DefaultFaultRates.instances("aws", true));
  }

  @Test
  void preemptionsOfEarlierRunsRaiseTheRate() {
    FaultExposure seen =
        new FaultExposure(SPOT.name(), "us-east-1", "spot", 12, 20, 10, 0, 8, 2, 0, 20, 30, 0);

    InstanceFaultRates rates = CloudFaultRates.rates(SPOT, Map.of(SPOT.name(), seen));

    assertThat(rates.preemptions().value()).isBetween(0.45, 0.55); // 10 in 20 h
    assertThat(rates.bootFailure().value()).isEqualTo(2.5 / 110, within(1e-9)); // 2 of 10
    assertThat(rates.preemptions().source()).endsWith("; own runs: 10 in 20 h");
  }
}
