package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Executes the worked example "Other programs" of docs/model.md. */
class BesideOtherProgramsRehearsalTest {
  private static final Offer OFFER =
      new Offer(
          "local",
          "core",
          "cpu",
          1,
          Market.ON_DEMAND,
          3.6,
          PriceKind.NOTIONAL,
          BillingTerms.BY_THE_SECOND,
          Spread.NONE,
          Spread.NONE,
          0,
          0,
          1);

  @Test
  void executionsTakeThePredictedTime() {
    Optional<MachineLoad> load = Optional.of(new MachineLoad(2, 1.5, 2));

    assertThat(completionS(load, 2)).isCloseTo(75, within(1e-6));
    assertThat(completionS(load, 1)).isCloseTo(105, within(1e-6));
    assertThat(completionS(Optional.empty(), 2)).isCloseTo(80, within(1e-6));
    assertThat(completionS(Optional.empty(), 1)).isCloseTo(120, within(1e-6));
  }

  private static double completionS(Optional<MachineLoad> load, int instances) {
    Profile profile =
        Profile.builder(
                "train",
                "cpu",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
                new TreeMap<>(Map.of(1, 32.0)))
            .startupS(Spread.exactly(8))
            .load(load)
            .build();
    Problem problem =
        new Problem(
            new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 3, 0, 1))))),
            List.of(OFFER),
            Map.of("cpu", profile),
            new IntRange(1, 1),
            new Limits(
                OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, Double.POSITIVE_INFINITY),
            HourlyCosts.NONE,
            1);
    Plan plan = new Plan(false, Map.of("1", new Allocation(OFFER.name(), instances, 1, 1)));
    PlannedRandomJob job = new PlannedRandomJob(problem, plan);
    return new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.NONE))
        .run(1)
        .completionS();
  }
}
