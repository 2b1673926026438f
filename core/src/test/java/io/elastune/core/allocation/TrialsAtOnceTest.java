package io.elastune.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The worked example of docs/model.md: two trials at once on two cores were measured beside six
 * busy threads of other programs, which got six eighths of the cores.
 */
class TrialsAtOnceTest {
  private static final MachineLoad LOAD = new MachineLoad(2, 1.5, 2);
  private static final Offer OFFER = offer("local", 1);
  private static final TrialGroup GROUP = new TrialGroup("1", 3, 0, 1);

  /** One thread beside six gets 2/7 of a core, two threads 2/8 each, three 2/9. */
  @Test
  void threadsGetEqualParts() {
    assertThat(LOAD.slowdown(1)).isCloseTo(7.0 / 8, within(1e-12));
    assertThat(LOAD.slowdown(2)).isEqualTo(1);
    assertThat(LOAD.slowdown(3)).isCloseTo(9.0 / 8, within(1e-12));
  }

  /** One of eight cores is used by others: four trials have a core each, eight have 8/9. */
  @Test
  void aThreadGetsNoMoreThanACore() {
    MachineLoad load = new MachineLoad(8, 1, 4);

    assertThat(load.slowdown(1)).isEqualTo(1);
    assertThat(load.slowdown(7)).isEqualTo(1);
    assertThat(load.slowdown(8)).isCloseTo(9.0 / 8, within(1e-12));
  }

  /** Three trials on two slots: two at once, then one alone. */
  @Test
  void theLastTrialsOfAGroupMayBeFewer() {
    Profile profile = profile(Optional.of(LOAD));

    assertThat(TrialsAtOnce.slowdown(profile, 3, OFFER, on(1))).isCloseTo(0.875, within(1e-12));
    assertThat(TrialsAtOnce.slowdown(profile, 3, OFFER, on(2))).isCloseTo(0.9375, within(1e-12));
    assertThat(TrialsAtOnce.slowdown(profile, 3, OFFER, on(3))).isCloseTo(1.125, within(1e-12));
    assertThat(TrialsAtOnce.leastSlowdown(profile, OFFER, on(2))).isCloseTo(0.875, within(1e-12));
  }

  @Test
  void trainingAndStartUpAreSlower() {
    Profile own = TrialsAtOnce.of(profile(Optional.of(LOAD)), GROUP, OFFER, on(1));

    assertThat(own.secondsPerUnit(1).orElseThrow()).isCloseTo(28, within(1e-12));
    assertThat(own.startupS().mean()).isCloseTo(7, within(1e-12));
    assertThat(own.startupS().cv()).isEqualTo(0.2);
    assertThat(TrialsAtOnce.of(own, GROUP, OFFER, on(1))).as("not twice").isSameAs(own);
  }

  /** Slots of two cores, and trials that share a core. */
  @Test
  void trialsMayHaveMoreOrLessThanACore() {
    Profile profile = profile(Optional.of(LOAD));

    assertThat(TrialsAtOnce.slowdown(profile, 1, offer("local", 2), on(1))).isEqualTo(1);
    assertThat(TrialsAtOnce.slowdown(profile, 2, OFFER, new Allocation(OFFER.name(), 1, 1, 2)))
        .isCloseTo(0.875, within(1e-12));
  }

  @Test
  void nothingChangesWithoutLoadAndOnClouds() {
    Profile idle = profile(Optional.empty());
    Profile loaded = profile(Optional.of(LOAD));
    Offer cloud = offer("aws/us-east-1", 1);
    Allocation one = new Allocation(cloud.name(), 1, 1, 1);

    assertThat(TrialsAtOnce.of(idle, GROUP, OFFER, on(1))).isSameAs(idle);
    assertThat(TrialsAtOnce.slowdown(idle, 3, OFFER, on(1))).isEqualTo(1);
    assertThat(TrialsAtOnce.leastSlowdown(idle, OFFER, on(1))).isEqualTo(1);
    assertThat(TrialsAtOnce.of(loaded, GROUP, cloud, one)).isSameAs(loaded);
    assertThat(TrialsAtOnce.leastSlowdown(loaded, cloud, one)).isEqualTo(1);
  }

  /** Two chains run side by side, so the trials of a group are not all that run at once. */
  @Test
  void loadCountsOnlyWhereThePlanSaysHowManyTrialsRunAtOnce() {
    Profile loaded = profile(Optional.of(LOAD));
    Chain chain = new Chain("a", List.of(GROUP));
    Chain other = new Chain("b", List.of(new TrialGroup("b.1", 2, 0, 1)));
    Workload single = new Workload(List.of(chain));
    Workload several = new Workload(List.of(chain, other));

    assertThat(TrialsAtOnce.forSearch(loaded, single, ListOptions.DEFAULT)).isSameAs(loaded);
    assertThat(TrialsAtOnce.forSearch(loaded, several, ListOptions.DEFAULT).load()).isEmpty();
  }

  private static Allocation on(int instances) {
    return new Allocation(OFFER.name(), instances, 1, 1);
  }

  private static Profile profile(Optional<MachineLoad> load) {
    return Profile.builder(
            "train",
            "cpu",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
            new TreeMap<>(Map.of(1, 32.0)))
        .secondsBySharing(new TreeMap<>(Map.of(2, 64.0)))
        .startupS(new Spread(8, 0.2))
        .load(load)
        .build();
  }

  private static Offer offer(String infra, int cores) {
    return new Offer(
        infra,
        "core",
        "cpu",
        1,
        Market.ON_DEMAND,
        0.1,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        cores);
  }
}
