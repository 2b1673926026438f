package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Explores all event orders of two trials on two instances with one fault. */
class ExhaustiveTest {
  @Test
  void noEventOrderOrFaultViolatesAnInvariant() {
    EventOrders all = new EventOrders(definition(), new RunCore(definition())::step);

    BigInteger count = all.count();

    System.out.printf(
        "small world: %,d states, %,d steps between them, %.3g interleavings%n",
        all.states(), all.steps(), count.doubleValue());
    assertThat(all.broken()).isEmpty();
    assertThat(count).isGreaterThan(BigInteger.valueOf(1_000_000));
  }

  @Tag(Tier.NIGHTLY)
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void trialThatEndsEarlyViolatesNoInvariant(int earlyTrial) {
    RunDefinition definition =
        definition(List.of(new TrialGroup("1", 2, 0, 2), new TrialGroup("2", 1, 2, 3)));
    EventOrders all = new EventOrders(definition, new RunCore(definition)::step, earlyTrial);

    all.count();

    assertThat(all.broken()).isEmpty();
  }

  @Tag(Tier.NIGHTLY)
  @Test
  void noEventOrderOrFaultEndsARunThatWaitsForCapacity() {
    RunDefinition definition =
        definition(List.of(new TrialGroup("1", 2, 0, 1), new TrialGroup("2", 1, 1, 2)), 1)
            .withWaitForCapacity(Optional.of(Duration.ofMinutes(30)));
    EventOrders all = new EventOrders(definition, new RunCore(definition)::step);

    all.count();

    assertThat(all.broken()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("findableDefects")
  void defectIsFound(CoreDefect coreDefect) {
    assertThat(new EventOrders(definition(), coreDefect.apply(definition())).isAnyBroken())
        .isTrue();
  }

  private static List<CoreDefect> findableDefects() {
    return List.of(
        CoreDefect.ID_DROPPED_BEFORE_TERMINATED, CoreDefect.ATTEMPTS_RESTARTED_WITHOUT_ADOPTION);
  }

  private static RunDefinition definition() {
    return definition(List.of(new TrialGroup("1", 2, 0, 1), new TrialGroup("2", 1, 1, 2)));
  }

  private static RunDefinition definition(List<TrialGroup> groups) {
    return definition(groups, 2);
  }

  private static RunDefinition definition(List<TrialGroup> groups, int instances) {
    Offer offer =
        new Offer(
            "simulated",
            "machine",
            "V100",
            1,
            Market.ON_DEMAND,
            3.6,
            PriceKind.LIST,
            new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    return RunDefinitionBuilder.builder()
        .run("small-1")
        .workload(new Workload(List.of(new Chain("", groups))))
        .plan(
            new Plan(
                false,
                Map.of(
                    "1", new Allocation(offer.name(), instances, 1, 1),
                    "2", new Allocation(offer.name(), 1, 1, 1))))
        .offers(Map.of(offer.name(), offer))
        .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
        .maxFailures(2)
        .deadlineMiss(Job.DeadlineMiss.FINISH)
        .forecasts(Map.of())
        .hangLimits(Map.of("1", HangLimit.fixed(100), "2", HangLimit.fixed(100)))
        .graceS(5)
        .running(HourlyCosts.NONE)
        .build();
  }
}
