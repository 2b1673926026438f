package io.elastune.core.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests properties that are false on purpose: shrinking must find the smallest job that violates
 * them.
 */
class ForAllTest {
  @Test
  void checksPropertyOnEverySeed() {
    List<PlannedJob> seen = new ArrayList<>();
    assertThatCode(() -> ForAll.seeds(7, ForAllTest::job).hold(seen::add))
        .doesNotThrowAnyException();
    assertThat(seen).hasSize(7);
  }

  @Test
  void reportsSeedAndSmallestJob() {
    AssertionError failure =
        catchThrowableOfType(
            AssertionError.class,
            () -> ForAll.seeds(100, ForAllTest::job).hold(ForAllTest::noGroupHasSevenTrialsOnTwo));

    // Seeds 0 to 5 have too few trials.
    assertThat(failure)
        .hasMessageStartingWith("seed 6: [group b.2 has 7 trials]")
        .hasMessageContaining("shrunk to Plan[hold=false, shared=false, allocations={b.2=")
        .hasMessageContaining("instances=2, gpusPerTrial=1, trialsPerGpu=1, spare=0]}]");
    assertThat(failure.getMessage().split("TrialGroup\\[", -1)).hasSize(2);
    assertThat(failure.getMessage())
        .contains("trials=7, fromUnit=3, toUnit=4,")
        .contains("queueS=Spread[mean=0.0, cv=0.0], bootS=Spread[mean=0.0, cv=0.0]")
        .contains("trialCv=0.0, unitCv=0.0", "samples=[]", "instanceCv=0.0")
        .contains("running=HourlyCosts[controllerUsdPerHour=0.0, storageUsdPerHour=0.0]")
        .doesNotContain("instanceType=unused");
  }

  @Test
  void keepsWhatTheFailureNeeds() {
    assertThatThrownBy(
            () ->
                ForAll.seeds(1, ForAllTest::job)
                    .hold(
                        job ->
                            assertThat(job.problem().offers())
                                .noneMatch(offer -> offer.bootS().cv() > 0)))
        .hasMessageContaining("bootS=Spread[mean=60.0, cv=0.5]")
        .hasMessageContaining("queueS=Spread[mean=0.0, cv=0.0]");
  }

  @Test
  void shrinksToLegalPlansOnly() {
    // Eight GPUs per trial need two instances of four.
    assertThatThrownBy(
            () ->
                ForAll.seeds(1, ForAllTest::job)
                    .hold(
                        job ->
                            assertThat(job.plan().allocations().values())
                                .noneMatch(allocation -> allocation.gpusPerTrial() == 8)))
        .hasMessageContaining("instances=2, gpusPerTrial=8");
  }

  @Test
  void treatsAnyExceptionAsFailure() {
    assertThatThrownBy(
            () ->
                ForAll.seeds(1, ForAllTest::job)
                    .hold(
                        job -> {
                          throw new IllegalStateException("broken");
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed 0: broken")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  private static void noGroupHasSevenTrialsOnTwo(PlannedJob job) {
    for (TrialGroup group : job.problem().workload().groups()) {
      Allocation allocation = job.plan().of(group);
      assertThat(group.trials() >= 7 && allocation.instances() >= 2)
          .as("group %s has %s trials", group.name(), group.trials())
          .isFalse();
    }
  }

  /**
   * Returns two chains of two groups with all optional features; the last group has seed + 1
   * trials.
   */
  private static PlannedJob job(long seed) {
    int trials = Math.toIntExact(seed) + 1;
    Chain a =
        new Chain("a", List.of(new TrialGroup("a.1", 5, 0, 3), new TrialGroup("a.2", 2, 3, 4)));
    Chain b =
        new Chain(
            "b", List.of(new TrialGroup("b.1", 6, 0, 3), new TrialGroup("b.2", trials, 3, 7)));
    Problem problem =
        new Problem(
            new Workload(List.of(a, b)),
            List.of(offer("used"), offer("unused")),
            Map.of("V100", profile()),
            new IntRange(1, 8),
            new Limits(
                OptionalDouble.empty(), OptionalDouble.empty(), 0.9, 9, Double.POSITIVE_INFINITY),
            new HourlyCosts(1, 1),
            seed);
    String name = problem.offers().get(0).name();
    return new PlannedJob(
        problem,
        new Plan(
            true,
            Map.of(
                "a.1", new Allocation(name, 3, 1, 2),
                "a.2", new Allocation(name, 3, 8, 1),
                "b.1", new Allocation(name, 1, 1, 1),
                "b.2", new Allocation(name, 4, 2, 1))));
  }

  private static Offer offer(String type) {
    return new Offer(
        "simulated",
        type,
        "V100",
        4,
        Market.ON_DEMAND,
        3.6,
        PriceKind.NOTIONAL,
        new BillingTerms(BillingTerms.Per.USE, 60, 600, 1),
        new Spread(15, 0.5),
        new Spread(60, 0.5),
        1,
        1,
        1);
  }

  private static Profile profile() {
    return Profile.builder(
            "train",
            "V100",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "synthetic", 1),
            new TreeMap<>(Map.of(1, 30.0, 2, 16.0, 8, 6.0)))
        .secondsBySharing(new TreeMap<>(Map.of(2, 50.0)))
        .startupS(new Spread(10, 0.5))
        .trialCv(0.5)
        .unitCv(0.5)
        .straggler(new Straggler(0.1, 3))
        .samples(List.of(1.0, 2.0))
        .instanceCv(0.5)
        .instanceStraggler(new Straggler(0.1, 3))
        .build();
  }
}
