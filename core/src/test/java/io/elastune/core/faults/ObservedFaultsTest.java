package io.elastune.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Shipped rates shrink toward the user's own history. */
class ObservedFaultsTest {
  private static final FaultRate SHIPPED = new FaultRate(0.001, "study", 0);

  @Test
  void rateIsTheMeanOfTheGammaPosterior() {
    FaultRate rate = SHIPPED.withObserved(4, 1000); // (0.5 + 4) / (500 + 1000)

    assertThat(rate.value()).isEqualTo(0.003, within(1e-12));
    assertThat(rate.source()).isEqualTo("study; own runs: 4 in 1000 h");
    assertThat(rate.evidence()).isEqualTo(1000);
  }

  @Test
  void hoursWithoutCasesLowerTheRate() {
    assertThat(SHIPPED.withObserved(0, 500).value()).isEqualTo(0.0005, within(1e-12));
  }

  @Test
  void manyHoursOutweighTheShippedRate() {
    assertThat(SHIPPED.withObserved(50_000, 1e6).value()).isEqualTo(0.05, within(1e-4));
  }

  @Test
  void noHoursChangeNothing() {
    assertThat(SHIPPED.withObserved(0, 0)).isEqualTo(SHIPPED);
  }

  @Test
  void marketWithoutPreemptionsHasNoneAfterwards() {
    InstanceFaultRates rates = DefaultFaultRates.instances("aws", false).withObserved(3, 0, 100);

    assertThat(rates.preemptions()).isEqualTo(FaultRate.NONE);
    assertThat(rates.failures().value())
        .isGreaterThan(DefaultFaultRates.instances("aws", false).failures().value());
  }
}
