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
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Creates small problems for tests of the allocation rules. */
final class TestProblems {
  private TestProblems() {}

  static Offer offer(String type, String gpu, int gpus) {
    return new Offer(
        "simulated",
        type,
        gpu,
        gpus,
        Market.ON_DEMAND,
        10,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        1);
  }

  /**
   * Returns a problem with one chain of groups 1 and 2, an offer with 4 × V100 and one with 8 × T4.
   * V100 is measured at 1, 2, 4 and 8 GPUs and at 2 trials per GPU; T4 is not measured. The limits
   * are 4 instances and 45 USD/h.
   */
  static Problem problem() {
    return problem(List.of(chain("", "1", "2")));
  }

  static Problem problem(List<Chain> chains) {
    Profile profile =
        Profile.builder(
                "train",
                "V100",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
                new TreeMap<>(Map.of(1, 30.0, 2, 16.0, 4, 9.0, 8, 6.0)))
            .secondsBySharing(new TreeMap<>(Map.of(2, 50.0)))
            .build();
    return new Problem(
        new Workload(chains),
        List.of(offer("v4", "V100", 4), offer("t8", "T4", 8)),
        Map.of("V100", profile),
        new IntRange(1, 12),
        new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, 45),
        HourlyCosts.NONE,
        1);
  }

  static Chain chain(String name, String... groups) {
    return new Chain(
        name, List.of(groups).stream().map(group -> new TrialGroup(group, 8, 0, 1)).toList());
  }
}
