package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.profiler.history.ProvisioningRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ProvisioningEvidenceTest {
  private static final Instant NINE = Instant.parse("2026-11-24T09:30:00Z");
  private static final Optional<Spread> NO_SETUP = Optional.of(Spread.NONE);
  private static final Optional<ProvisioningTimes> UNKNOWN = Optional.empty();

  private static Offer offer(String infra) {
    return new Offer(
        infra,
        "g5.xlarge",
        "A10G",
        1,
        Market.ON_DEMAND,
        1,
        PriceKind.LIST,
        new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
        new Spread(15, 0.3),
        new Spread(60, 0.2),
        0,
        0,
        0);
  }

  private static ProvisioningRow row(
      String zone, String setup, int hour, double queueS, double bootS, double setupS) {
    return new ProvisioningRow(
        "aws/us-east-1",
        "g5.xlarge",
        "on-demand",
        setup,
        hour,
        queueS,
        OptionalDouble.of(bootS),
        MeasuredPreparation.of(Optional.of(zone), setupS, setupS / 2));
  }

  private static ProvisioningTimes times(
      List<ProvisioningRow> rows, String infra, Optional<Spread> shipped) {
    return new ProvisioningEvidence(rows, "own", NINE, shipped)
        .of(offer(infra), UNKNOWN)
        .orElseThrow()
        .times();
  }

  @Test
  void weightOfLeasesGrowsWithTheirNumber() {
    ProvisioningRow slow = row("us-east-1a", "own", 9, 100, 200, 0);
    double one = times(List.of(slow), "aws/us-east-1", NO_SETUP).queueS().mean();
    double four = times(Collections.nCopies(4, slow), "aws/us-east-1", NO_SETUP).queueS().mean();
    double many = times(Collections.nCopies(90, slow), "aws/us-east-1", NO_SETUP).queueS().mean();

    assertThat(one).isBetween(50.0, 99.5);
    assertThat(four).isBetween(one + 0.1, 99.9);
    assertThat(many).isCloseTo(100, within(0.5));
  }

  @Test
  void timesOfAnOffersFileAreNoPrior() {
    ProvisioningTimes times =
        times(List.of(row("us-east-1a", "own", 9, 100, 200, 0)), "aws/us-east-1", Optional.empty());

    assertThat(times.queueS().mean()).isEqualTo(100);
    assertThat(times.bootS().mean()).isEqualTo(200);
    assertThat(times.samples()).isEqualTo(1);
  }

  /** EC2 chose the zones of offers of a region: an offer of one of these zones uses them. */
  @Test
  void zonesDiffer() {
    List<ProvisioningRow> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      rows.add(row("us-east-1a", "own", 9, 20, 60, 0));
      rows.add(row("us-east-1b", "own", 9, 200, 60, 0));
    }

    assertThat(times(rows, "aws/us-east-1/us-east-1a", NO_SETUP).queueS().mean())
        .isCloseTo(20, within(3.0));
    assertThat(times(rows, "aws/us-east-1/us-east-1b", NO_SETUP).queueS().mean())
        .isCloseTo(200, within(10.0));
    assertThat(times(rows, "aws/us-east-1", NO_SETUP).queueS().mean()).isCloseTo(110, within(10.0));
    ProvisioningTimes elsewhere = times(rows, "aws/eu-west-1", NO_SETUP);
    assertThat(elsewhere.queueS().mean()).isBetween(60.0, 110.0);
    assertThat(elsewhere.isMeasured()).isFalse();
  }

  @Test
  void leasesAtTheHourCountMore() {
    List<ProvisioningRow> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      rows.add(row("us-east-1a", "own", 11, 100, 60, 0));
      rows.add(row("us-east-1a", "own", 22, 20, 60, 0));
    }

    assertThat(times(rows, "aws/us-east-1", NO_SETUP).queueS().mean()).isBetween(95.0, 100.0);
  }

  /** 50 s of boot are the same for all programs; the setup is that of the job. */
  @Test
  void setupIsThatOfTheJob() {
    List<ProvisioningRow> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(row("us-east-1a", "other", 9, 20, 350, 300));
    }
    Optional<Spread> shipped = Optional.of(Spread.exactly(60));
    ProvisioningTimes assumed = times(rows, "aws/us-east-1", shipped);
    assertThat(assumed.bootS().mean()).isCloseTo(50 + 60, within(1.0));
    assertThat(assumed.isMeasured()).as("its setup was never measured").isFalse();

    for (int i = 0; i < 20; i++) {
      rows.add(row("us-east-1a", "own", 9, 20, 70, 20));
    }
    ProvisioningTimes measured = times(rows, "aws/us-east-1", shipped);
    assertThat(measured.setupS().mean()).isCloseTo(20, within(1.0));
    assertThat(measured.imageS().mean()).as("half of it").isCloseTo(10, within(0.5));
    assertThat(measured.bootS().mean()).isCloseTo(50 + 20, within(2.0));
    assertThat(measured.samples()).isEqualTo(60);
  }

  @Test
  void otherTypesAndMarketsAreNoEvidence() {
    List<ProvisioningRow> rows =
        List.of(
            new ProvisioningRow(
                "aws/us-east-1",
                "p4d.24xlarge",
                "on-demand",
                "own",
                9,
                400,
                OptionalDouble.of(400),
                MeasuredPreparation.of(0, 0)));

    assertThat(
            new ProvisioningEvidence(rows, "own", NINE, NO_SETUP)
                .of(offer("aws/us-east-1"), UNKNOWN))
        .isEmpty();
  }

  /** The profile has 90 s: 60 s of boot, and 30 s that only the first attempts take. */
  @Test
  void firstUseOfAnInstanceRemainsPartOfItsBoot() {
    List<ProvisioningRow> rows = Collections.nCopies(4, row("us-east-1a", "own", 9, 15, 60, 0));
    ProvisioningTimes known =
        new ProvisioningTimes(
            "aws/us-east-1/g5.xlarge/on-demand", new Spread(15, 0), new Spread(90, 0), 4);

    assertThat(
            new ProvisioningEvidence(rows, "own", NINE, NO_SETUP)
                .of(offer("aws/us-east-1"), Optional.of(known))
                .orElseThrow()
                .times()
                .bootS()
                .mean())
        .isCloseTo(90, within(1.0));
  }
}
