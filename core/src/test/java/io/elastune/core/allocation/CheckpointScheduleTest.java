package io.elastune.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checks intervals of checkpoints against Young's rule and against all other intervals. */
class CheckpointScheduleTest {
  private static final double UNIT_S = 10;

  private static TrialGroup group(int units, Optional<IntRange> saves) {
    return new TrialGroup("1", 4, 0, units, false, saves);
  }

  private static Offer offer(double failuresPerHour, double preemptionsPerHour, double noticeS) {
    return new Offer(
            "aws/us-east-1",
            "x",
            "V100",
            1,
            Market.SPOT,
            1,
            PriceKind.LIST,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1)
        .withFaults(
            new InstanceFaultRates(
                FaultRate.NONE,
                0,
                FaultRate.NONE,
                FaultRate.NONE,
                1,
                FaultRate.assumed(failuresPerHour),
                FaultRate.assumed(preemptionsPerHour),
                noticeS,
                0));
  }

  private static Profile profile(double checkpointS) {
    Profile profile =
        Profile.builder(
                "train",
                "V100",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "test", 1),
                new TreeMap<>(Map.of(1, UNIT_S)))
            .build();
    return checkpointS == 0
        ? profile
        : profile.withCheckpoint(
            new CheckpointMeasurement(
                Optional.empty(),
                Optional.of(new CheckpointMeasurement.Sampled(checkpointS, 0, 1)),
                Optional.empty(),
                Optional.empty()));
  }

  private static CheckpointSchedule of(int units, IntRange saves, double checkpointS, Offer offer) {
    return CheckpointSchedule.of(
        group(units, Optional.of(saves)),
        offer,
        profile(checkpointS),
        new Allocation(offer.name(), 1, 1, 1));
  }

  @Test
  void trialsThatSaveAsTheyLikeHaveNoSchedule() {
    CheckpointSchedule schedule =
        CheckpointSchedule.of(
            group(8, Optional.empty()),
            offer(1, 0, 0),
            profile(3),
            new Allocation(offer(1, 0, 0).name(), 1, 1, 1));

    assertThat(schedule).isEqualTo(CheckpointSchedule.ASSUMED);
    assertThat(schedule.saved(5)).isEqualTo(5);
    assertThat(schedule.lastUnits(8)).isEqualTo(1);
  }

  @Test
  void intervalIsThatOfYoungInALongGroup() {
    // sqrt(2 · 5 s · 3600 s) = 190 s, for 10,000 units as for 60.
    assertThat(of(10_000, new IntRange(1, 1000), 5, offer(1, 0, 0)).every()).isBetween(18, 20);
    assertThat(of(60, new IntRange(1, 100), 5, offer(1, 0, 0)).every()).isEqualTo(20);
  }

  @Test
  void intervalStaysWithinWhatTheTrialSupports() {
    assertThat(of(60, new IntRange(25, 100), 5, offer(1, 0, 0)).every()).isEqualTo(25);
    assertThat(of(60, new IntRange(1, 4), 5, offer(1, 0, 0)).every()).isEqualTo(4);
    assertThat(of(60, new IntRange(7, 7), 5, offer(0, 0, 0)).every()).isEqualTo(7);
    assertThat(of(6, new IntRange(7, 7), 5, offer(9, 0, 0)).every()).isZero();
  }

  @Test
  void withoutFaultsOneCheckpointAtTheEndSuffices() {
    CheckpointSchedule schedule = of(60, new IntRange(1, 100), 5, offer(0, 0, 0));

    assertThat(schedule.every()).isZero();
    assertThat(schedule.overheadS()).isZero();
    assertThat(schedule.saved(59)).isZero();
    assertThat(schedule.lastUnits(60)).isEqualTo(60);
    assertThat(schedule.meanLostS(600, 60)).isCloseTo(300, within(1e-9));
  }

  @Test
  void checkpointsThatTakeNoTimeAreSavedAsOftenAsSupported() {
    assertThat(of(60, new IntRange(2, 100), 0, offer(0.01, 0, 0)).every()).isEqualTo(2);
  }

  @Test
  void preemptionsWithNoticeNeedNoCheckpoints() {
    assertThat(of(60, new IntRange(1, 100), 5, offer(0, 1, 120)).every()).isZero();
    assertThat(of(60, new IntRange(1, 100), 5, offer(0, 1, 4)).every()).isEqualTo(20);
    assertThat(of(60, new IntRange(1, 100), 5, offer(0, 1, 0)).every()).isEqualTo(20);
  }

  @Test
  void overheadAndLossesAreThoseOfItsIntervals() {
    CheckpointSchedule schedule = of(10, new IntRange(4, 4), 5, offer(1, 0, 0));

    assertThat(schedule.overheadS()).isEqualTo(10);
    assertThat(List.of(schedule.saved(3), schedule.saved(4), schedule.saved(9)))
        .containsExactly(0, 4, 8);
    assertThat(schedule.lastUnits(10)).isEqualTo(2);
    // 11 s per unit with the checkpoints: parts of 44, 44 and 22 s.
    assertThat(schedule.meanLostS(110, 10))
        .isCloseTo((44 * 44 + 44 * 44 + 22 * 22) / 220.0, within(1e-9));
  }
}
