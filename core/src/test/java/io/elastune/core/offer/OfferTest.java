package io.elastune.core.offer;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.faults.InstanceFaultRates;
import org.junit.jupiter.api.Test;

class OfferTest {
  /** Every component has its own value, so that exchanged components are detected. */
  private static final Offer OFFER =
      new Offer(
          "aws/us-east-1",
          "g5.xlarge",
          "A10G",
          4,
          Market.SPOT,
          1.5,
          PriceKind.LIST,
          BillingTerms.BY_THE_SECOND,
          new Spread(1, 0.1),
          new Spread(2, 0.2),
          0.3,
          0.4,
          5,
          0,
          InstanceFaultRates.NONE);

  @Test
  void copiesKeepOtherComponents() {
    assertThat(OFFER.withFaults(OFFER.faults())).isEqualTo(OFFER);
    assertThat(OFFER.withProvisioning(new Spread(8, 0), new Spread(9, 0)))
        .isNotEqualTo(OFFER)
        .usingRecursiveComparison()
        .ignoringFields("queueS", "bootS")
        .isEqualTo(OFFER);
  }

  @Test
  void simulatedOfferHasNotionalPrice() {
    assertThat(OFFER.toSimulated())
        .usingRecursiveComparison()
        .ignoringFields("infra", "price")
        .isEqualTo(OFFER);
    assertThat(OFFER.toSimulated().name()).isEqualTo("simulated/aws/us-east-1/g5.xlarge/spot");
    assertThat(OFFER.toSimulated().price()).isEqualTo(PriceKind.NOTIONAL);
  }
}
