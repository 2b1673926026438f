package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.PreparationStep;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a run learns from the instances that it loses. */
class ObservedLossesTest {
  private static final Instant START = Instant.parse("2026-11-25T06:00:00Z");
  private static final Node NODE = new Node("127.0.0.1", List.of("0"), List.of());
  private static final String SPOT = "aws/us-east-1a/g5.xlarge/spot";
  private static final Offer OFFER =
      new Offer(
          "aws/us-east-1a",
          "g5.xlarge",
          "A10G",
          1,
          Market.SPOT,
          0.4,
          PriceKind.LIST,
          BillingTerms.BY_THE_SECOND,
          Spread.exactly(30),
          Spread.exactly(60),
          0,
          0,
          0);

  @Test
  void countsLossesByReasonAndTheHoursOfAllInstances() {
    LeaseState preempted = ready(1).lost(LossReason.PREEMPTED).releasing(START.plusSeconds(1_800));
    LeaseState noticed = ready(2).leaving().releasing(START.plusSeconds(1_800));
    LeaseState unreachable =
        ready(3).lost(LossReason.LOST_CONTACT).releasing(START.plusSeconds(3_600));
    LeaseState healthy = ready(4);

    SortedMap<String, ObservedLosses> losses =
        LeaseLosses.byOffer(state(preempted, noticed, unreachable, healthy));

    assertThat(losses).containsOnlyKeys(SPOT);
    assertThat(losses.get(SPOT)).isEqualTo(new ObservedLosses(1, 2, 0.5 + 0.5 + 1 + 2, 4, 0));
  }

  @Test
  void instanceThatWasNeverReadyIsNoFailureInUse() {
    LeaseState failedToBoot =
        requested(1).running(START).lost(LossReason.FAILED).releasing(START.plusSeconds(3_600));

    assertThat(LeaseLosses.byOffer(state(failedToBoot)).get(SPOT))
        .isEqualTo(new ObservedLosses(0, 0, 1, 1, 1));
    assertThat(LeaseLosses.byOffer(state(requested(1)))).isEmpty();
  }

  @Test
  void nodeThatCannotBecomeReadyRaisesTheRateOfFailedBoots() {
    LeaseState unusable =
        requested(1)
            .running(START)
            .failed(PreparationStep.ACCEPTANCE)
            .releasing(START.plusSeconds(360));

    SortedMap<String, ObservedLosses> losses = LeaseLosses.byOffer(state(unusable, ready(2)));

    assertThat(losses.get(SPOT)).isEqualTo(new ObservedLosses(0, 0, 0.1 + 2, 2, 1));
    InstanceFaultRates learned = ObservedLosses.learned(OFFER, losses);
    assertThat(learned.bootFailure().value()) // 0.5 cases of 100 boots are the shipped rate
        .isEqualTo(1.5 / 102, within(1e-9));
    assertThat(learned.bootFailure().source()).endsWith("this run: 1 of 2");
  }

  @Test
  void firstReasonOfALossIsKept() {
    assertThat(ready(1).leaving().lost(LossReason.LOST_CONTACT).loss())
        .contains(LossReason.PREEMPTED);
  }

  @Test
  void placeThatPreemptsOftenIsLearnedWithinHours() {
    TreeMap<String, ObservedLosses> often = new TreeMap<>();
    often.put(SPOT, new ObservedLosses(0, 3, 6, 3, 0));

    assertThat(ObservedLosses.learned(OFFER, often).preemptions().value())
        .isEqualTo(0.57, within(0.05));
    assertThat(ObservedLosses.learned(OFFER, often).preemptions().source())
        .endsWith("this run: 3 in 6 h");
  }

  @Test
  void offerWithoutRatesHasNoneUntilAnInstanceIsLost() {
    TreeMap<String, ObservedLosses> calm = new TreeMap<>();
    calm.put(SPOT, new ObservedLosses(0, 0, 6, 3, 0));

    assertThat(ObservedLosses.learned(OFFER, calm)).isEqualTo(InstanceFaultRates.NONE);
    assertThat(
            ObservedLosses.learned(OFFER.withFaults(DefaultFaultRates.instances("aws", true)), calm)
                .preemptions()
                .value())
        .isLessThan(DefaultFaultRates.instances("aws", true).preemptions().value());
  }

  private static LeaseState requested(int number) {
    return LeaseState.requested("r-" + number, number, 0, "g", SPOT, 0.4, START.minusSeconds(30));
  }

  private static LeaseState ready(int number) {
    return requested(number).running(START).ready(NODE, START.plusSeconds(60));
  }

  private static RunState state(LeaseState... leases) {
    TreeMap<Integer, LeaseState> all = new TreeMap<>();
    for (LeaseState lease : leases) {
      all.put(lease.number(), lease);
    }
    return new RunState(
        RunState.Phase.RUNNING,
        Optional.of(START),
        START.plusSeconds(7_200),
        ShutdownState.NONE,
        List.of(),
        new TreeMap<>(),
        new TreeMap<>(),
        all,
        noReplan(),
        ClockError.UNKNOWN);
  }

  private static ReplanState noReplan() {
    return RunState.initial(
            WorkedExampleRun.definition(
                WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}})))
        .steering();
  }
}
