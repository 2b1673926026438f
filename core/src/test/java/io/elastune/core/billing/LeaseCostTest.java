package io.elastune.core.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.BillingTerms.Per;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseCostTest {
  private static final double USD_PER_HOUR = 3.6;
  private static final double DATA_IN_USD = 0.5;
  private static final double DISK_USD_PER_HOUR = 0.36;
  private static final double PER_USE_USD = 0.25;
  private static final double RUNNING_S = 100;

  @ParameterizedTest
  @CsvSource({
    "1, 60, 0, 60",
    "1, 60, 59.5, 60",
    "1, 60, 60, 60",
    "1, 60, 60.2, 61",
    "1, 0, 0, 0",
    "1, 0, 0.2, 1",
    "3600, 0, 1, 3600",
    "3600, 0, 3600, 3600",
    "3600, 0, 3600.1, 7200",
    "0.1, 0, 0.25, 0.3",
    "60, 600, 601, 660",
    // At most a millionth of an increment is ignored.
    "1, 0, 10.0000009, 10",
    "1, 0, 10.000002, 11",
    "3600, 0, 3600.003, 3600",
    "3600, 0, 3600.004, 7200",
  })
  void roundsUpToIncrementAndMinimum(
      double granularityS, double minimumS, double seconds, double billed) {
    BillingTerms terms = new BillingTerms(Per.INSTANCE, granularityS, minimumS, 0);

    assertThat(Billing.billedSeconds(terms, seconds)).isCloseTo(billed, within(1e-9));
  }

  @Test
  void roundingErrorsStartNoIncrement() {
    BillingTerms terms = new BillingTerms(Per.INSTANCE, 0.1, 0, 0);

    assertThat(Billing.billedSeconds(terms, 0.1 + 0.1 + 0.1)).isCloseTo(0.3, within(1e-9));
  }

  @Test
  void billsFromRunningToRelease() {
    LeaseCost cost = LeaseCost.of(offer(Per.INSTANCE), RUNNING_S, RUNNING_S + 90.5, 10);

    assertThat(cost.instanceUsd()).isCloseTo(0.091, within(1e-12));
    assertThat(cost.perUseUsd()).isEqualTo(PER_USE_USD);
    assertThat(cost.dataInUsd()).isEqualTo(DATA_IN_USD);
    assertThat(cost.diskUsd()).isCloseTo(0.00905, within(1e-12));
    assertThat(cost.totalUsd()).isCloseTo(0.85005, within(1e-12));
  }

  @Test
  void billsUseOnly() {
    LeaseCost cost = LeaseCost.of(offer(Per.USE), RUNNING_S, RUNNING_S + 500, 70.5);

    assertThat(cost.instanceUsd()).isCloseTo(0.071, within(1e-12));
    assertThat(cost.diskUsd()).isCloseTo(0.05, within(1e-12));
  }

  @Test
  void unusedLeaseCostsTheMinimum() {
    assertThat(LeaseCost.of(offer(Per.USE), RUNNING_S, RUNNING_S + 500, 0).instanceUsd())
        .isCloseTo(0.06, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"0", "99", "100"})
  void pendingLeaseCostsOnlyDataIn(double releasedS) {
    assertThat(LeaseCost.of(offer(Per.INSTANCE), RUNNING_S, releasedS, 0))
        .isEqualTo(new LeaseCost(0, 0, DATA_IN_USD, 0));
  }

  @Test
  void neverRunningLeaseCostsOnlyDataIn() {
    assertThat(LeaseCost.of(offer(Per.INSTANCE), Double.POSITIVE_INFINITY, 1e9, 0).totalUsd())
        .isEqualTo(DATA_IN_USD);
  }

  private static Offer offer(Per per) {
    return new Offer(
        "aws/us-east-1",
        "t",
        "A",
        4,
        Market.ON_DEMAND,
        USD_PER_HOUR,
        PriceKind.LIST,
        new BillingTerms(per, 1, 60, PER_USE_USD),
        Spread.NONE,
        Spread.NONE,
        DATA_IN_USD,
        DISK_USD_PER_HOUR,
        1);
  }
}
