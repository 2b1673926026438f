package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import org.junit.jupiter.api.Test;

/** Plays the worked example "Other programs" of docs/model.md with mean values. */
class MeanGroupRunTest {
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
  void fewerTrialsAtOnceAreFasterBesideOtherPrograms() {
    MeanValueModel model = model(Optional.of(new MachineLoad(2, 1.5, 2)));

    assertThat(endS(model, 2)).isCloseTo(75, within(1e-9));
    assertThat(endS(model, 1)).isCloseTo(105, within(1e-9));
    assertThat(model.leastUsd(0, shape(model))).isCloseTo(105 * 1e-3, within(1e-9));
  }

  @Test
  void withoutLoadAllAreAsFastAsProfiled() {
    MeanValueModel model = model(Optional.empty());

    assertThat(endS(model, 2)).isEqualTo(80);
    assertThat(endS(model, 1)).isEqualTo(120);
    assertThat(model.leastUsd(0, shape(model))).isCloseTo(120 * 1e-3, within(1e-9));
  }

  private static double endS(MeanValueModel model, int instances) {
    MeanGroupRun run = new MeanGroupRun(model);
    run.run(HeldInstances.NOTHING, 0, shape(model), instances);
    return run.endS();
  }

  private static TrialShape shape(MeanValueModel model) {
    return model.choiceSet().trialShapes().get(0);
  }

  private static MeanValueModel model(Optional<MachineLoad> load) {
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
    Chain chain = new Chain("", List.of(new TrialGroup("1", 3, 0, 1)));
    Problem problem =
        new Problem(
            new Workload(List.of(chain)),
            List.of(OFFER),
            Map.of("cpu", profile),
            new IntRange(1, 1),
            new Limits(
                OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, Double.POSITIVE_INFINITY),
            HourlyCosts.NONE,
            1);
    return new MeanValueModel(
        chain,
        ChoiceSet.of(problem),
        MeanValueModel.SpreadMode.NONE,
        0.95,
        0,
        InitialHoldings.NOTHING,
        SearchParameters.DEFAULT);
  }
}
