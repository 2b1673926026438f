package io.elastune.core.allocation;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The worked example "Other programs" of docs/model.md, for the tests of all modules. */
public final class OtherProgramsExample {
  public static final Offer OFFER =
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

  public static final MachineLoad LOAD = new MachineLoad(2, 1.5, 2);

  private OtherProgramsExample() {}

  /** Returns the problem: three trials of one unit, with or without the load of the example. */
  public static Problem problem(Optional<MachineLoad> load) {
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
    return new Problem(
        new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 3, 0, 1))))),
        List.of(OFFER),
        Map.of("cpu", profile),
        new IntRange(1, 1),
        new Limits(
            OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, Double.POSITIVE_INFINITY),
        HourlyCosts.NONE,
        1);
  }
}
