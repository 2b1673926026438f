package io.elastune.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Shipped rates shrink toward the user's own history. */
class ObservedFaultsTest {
  private static final FaultRate SHIPPED = new FaultRate(0.001, "study", 0);

  @Test
  void rateIsTheMeanOfTheMixturePosterior() {
    FaultRate rate = SHIPPED.withObserved(4, 1000, "own runs");

    // The part with a shortage of 1 per hour is excluded by 1,000 hours: 0.0008/(1 - 0.0002) is
    // left, and (0.5 + 4) / (0.5 / 0.00080016 + 1000).
    assertThat(rate.value()).isEqualTo(0.0027695, within(1e-6));
    assertThat(rate.source()).isEqualTo("study; own runs: 4 in 1000 h");
    assertThat(rate.evidence()).isEqualTo(1000);
  }

  @Test
  void hoursWithoutCasesLowerTheRate() {
    assertThat(SHIPPED.withObserved(0, 500, "own runs").value())
        .isLessThan(SHIPPED.value())
        .isEqualTo(0.000444, within(1e-5));
  }

  @Test
  void probabilityIsTheMeanOfTheBetaPosterior() {
    FaultRate rate = new FaultRate(0.005, "study", 0).withObservedShare(2, 10, "own runs");

    assertThat(rate.value()).isEqualTo((0.5 + 2) / (0.5 / 0.005 + 10), within(1e-12));
    assertThat(rate.source()).isEqualTo("study; own runs: 2 of 10");
    assertThat(rate.evidence()).isEqualTo(10);
    assertThat(rate.withObservedShare(90_000, 90_000, "own runs").value()).isEqualTo(0.95);
  }

  @Test
  void fewMomentsChangeNothing() {
    assertThat(SHIPPED.withObserved(0, 1e-6, "own runs").value())
        .isEqualTo(SHIPPED.value(), within(1e-8));
  }

  @Test
  void oneLossWithinHoursIsChanceButThreeAreAShortage() {
    assertThat(SHIPPED.withObserved(1, 4, "this run").value()).isLessThan(0.03);
    assertThat(SHIPPED.withObserved(3, 6, "this run").value()).isBetween(0.4, 0.6);
    assertThat(SHIPPED.withObserved(10, 20, "this run").value()).isBetween(0.45, 0.55);
  }

  @Test
  void higherRatesFollowFromMoreCasesAndFewerHours() {
    double before = 0;
    for (int cases = 0; cases < 30; cases++) {
      double rate = SHIPPED.withObserved(cases, 20, "own runs").value();
      assertThat(rate).isGreaterThan(before);
      assertThat(SHIPPED.withObserved(cases, 30, "own runs").value()).isLessThan(rate);
      before = rate;
    }
  }

  @Test
  void highStatedRatesHaveNoShortage() {
    FaultRate often = new FaultRate(2, "study", 0);
    assertThat(often.withObserved(4, 1, "own runs").value()).isEqualTo(4.5 / 1.25, within(1e-12));
  }

  @Test
  void manyHoursOutweighTheShippedRate() {
    assertThat(SHIPPED.withObserved(50_000, 1e6, "own runs").value()).isEqualTo(0.05, within(1e-4));
  }

  @Test
  void noHoursChangeNothing() {
    assertThat(SHIPPED.withObserved(0, 0, "own runs")).isEqualTo(SHIPPED);
  }

  @Test
  void marketWithoutPreemptionsHasNoneAfterwards() {
    InstanceFaultRates rates =
        DefaultFaultRates.instances("aws", false).withObserved(3, 0, 100, "own runs");

    assertThat(rates.preemptions()).isEqualTo(FaultRate.NONE);
    assertThat(rates.failures().value())
        .isGreaterThan(DefaultFaultRates.instances("aws", false).failures().value());
  }
}
