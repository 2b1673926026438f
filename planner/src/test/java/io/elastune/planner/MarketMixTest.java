package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Plans that may use the same instance type on demand and as spot capacity. */
class MarketMixTest {
  private static final Offer ON_DEMAND = offer(Market.ON_DEMAND, 12.24, InstanceFaultRates.NONE);
  private static final Offer SPOT = offer(Market.SPOT, 4, preempted(6));

  private static final List<Double> DEADLINES_S =
      Tier.isNightly() ? List.of(300.0, 350.0, 450.0, 800.0) : List.of(350.0);

  @Test
  void spotIsUsedWhereTheDeadlineAllowsIt() {
    assertThat(markets(plan(List.of(ON_DEMAND, SPOT), 2_500))).containsExactly(Market.SPOT);
  }

  @Test
  void onDemandIsUsedWhereSpotWouldMissTheDeadline() {
    PlanResult.Found mixed = plan(List.of(ON_DEMAND, SPOT), 280);
    PlanResult.Found onDemand = plan(List.of(ON_DEMAND), 280);

    assertThat(markets(mixed)).contains(Market.ON_DEMAND);
    assertThat(mixed.estimate().onTime()).isGreaterThanOrEqualTo(0.95);
    assertThat(mixed.estimate().costUsd().mean())
        .isLessThanOrEqualTo(onDemand.estimate().costUsd().mean() + 1e-9);
  }

  @Test
  void mixCostsNoMoreThanEitherMarketAlone() {
    for (double deadlineS : DEADLINES_S) {
      double mixed = plan(List.of(ON_DEMAND, SPOT), deadlineS).estimate().costUsd().mean();
      assertThat(mixed)
          .as("deadline %s", deadlineS)
          .isLessThanOrEqualTo(
              plan(List.of(ON_DEMAND), deadlineS).estimate().costUsd().mean() + 1e-9);
    }
  }

  @Test
  void cheaperOfferThatFailsAsRarelyReplacesTheOther() {
    Offer cheaper = offer(Market.SPOT, 4, InstanceFaultRates.NONE);
    assertThat(markets(plan(List.of(ON_DEMAND, cheaper), 700))).containsExactly(Market.SPOT);
  }

  private static PlanResult.Found plan(List<Offer> offers, double deadlineS) {
    Problem one =
        TestJobs.problem(
            TestJobs.chain(16, 1, 8, 1, 4, 2, 2, 4),
            ON_DEMAND,
            TestJobs.profile("V100", TestJobs.RESNET50, 0.05, 0.02),
            TestJobs.deadline(deadlineS, 8));
    return TestJobs.found(one.with(offers, one.profiles()), Kind.BEST);
  }

  private static Set<Market> markets(PlanResult.Found found) {
    Map<String, Market> markets =
        Map.of(ON_DEMAND.name(), Market.ON_DEMAND, SPOT.name(), Market.SPOT);
    return found.plan().allocations().values().stream()
        .map(Allocation::offer)
        .map(markets::get)
        .collect(Collectors.toSet());
  }

  private static Offer offer(Market market, double usdPerHour, InstanceFaultRates faults) {
    Offer one =
        TestJobs.offer(
            "p3.8xlarge",
            "V100",
            4,
            usdPerHour,
            TestJobs.EC2,
            new Spread(15, 0.2),
            new Spread(60, 0.2));
    return new Offer(
        one.infra(),
        one.instanceType(),
        one.gpu(),
        one.gpus(),
        market,
        one.usdPerHour(),
        one.price(),
        one.billing(),
        one.queueS(),
        one.bootS(),
        one.dataInUsd(),
        one.diskUsdPerHour(),
        one.coresPerGpu(),
        0,
        faults);
  }

  private static InstanceFaultRates preempted(double perHour) {
    return new InstanceFaultRates(
        FaultRate.NONE,
        0,
        FaultRate.NONE,
        FaultRate.NONE,
        1,
        FaultRate.NONE,
        FaultRate.assumed(perHour),
        120,
        0.6);
  }
}
