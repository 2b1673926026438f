package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungSearch;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.rung.RungReplanner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Re-plans ASHA(16 trials, 1..8 units, eta 2), of whose four instances two are held. */
class RungReplannerTest {
  private static final int HELD = 2;

  private final Problem problem =
      TestJobs.workedExampleWithSpread(
              new Limits(OptionalDouble.of(500), OptionalDouble.empty(), 0.95, 6, 1e9))
          .withWorkload(Workload.of(SampledDescentTest.RULE));
  private final Offer offer = problem.offers().get(0);
  private final Plan current = plan(4, 4);

  @Test
  void theOfferOfTheRunStaysAChoiceIfAnotherIsCheaper() {
    Offer cheaper = elsewhere(offer.usdPerHour() / 2);

    assertThat(
            replanner(problem.with(List.of(offer, cheaper), problem.profiles())).outlook(current))
        .isPresent();
  }

  /** The limit of USD per hour allows no instance any more; those that are held may be kept. */
  @Test
  void theOfferOfTheRunStaysAChoiceAfterARiseOfItsPrice() {
    Limits limits =
        new Limits(OptionalDouble.of(500), OptionalDouble.empty(), 0.95, 6, offer.usdPerHour() / 2);
    RungReplanner replanner = replanner(problem.withLimits(limits));

    assertThat(replanner.outlook(current)).isPresent();
    assertThat(replanner.alternatives(plan(HELD, HELD)))
        .isNotEmpty()
        .allMatch(it -> open(it) <= HELD);
  }

  @Test
  void refusedInstancesAreInNoForecast() {
    assertThat(replanner(problem).outlook(current).map(PlanForecast::costUsd))
        .isEqualTo(replanner(problem).outlook(plan(HELD, HELD)).map(PlanForecast::costUsd));
    assertThat(replanner(problem, true).alternatives(current))
        .isNotEmpty()
        .allMatch(it -> open(it) <= HELD);
    assertThat(replanner(problem).alternatives(current)).anyMatch(it -> open(it) > HELD);
  }

  /** A lost instance is replaced, and a crash repeats a unit: both take time and money. */
  @Test
  void forecastsHaveTheFaultsOfTheRest() {
    FaultRate none = FaultRate.assumed(0);
    FaultRate often = FaultRate.assumed(12);
    PlanForecast reliable = replanner(problem).outlook(current).orElseThrow();
    PlanForecast lossy =
        forecast(
            new InstanceFaultRates(none, 0, none, none, 1, often, none, 0, 0),
            TrialFaultRates.NONE);
    PlanForecast crashing =
        forecast(InstanceFaultRates.NONE, new TrialFaultRates(often, none, none));

    for (PlanForecast faulty : List.of(lossy, crashing)) {
      assertThat(faulty.meanS()).isGreaterThan(reliable.meanS());
      assertThat(faulty.safeS()).isGreaterThan(reliable.safeS());
      assertThat(faulty.costUsd()).isGreaterThan(reliable.costUsd());
    }
    assertThat(forecast(InstanceFaultRates.NONE, TrialFaultRates.NONE)).isEqualTo(reliable);
  }

  private PlanForecast forecast(InstanceFaultRates instances, TrialFaultRates trials) {
    return replanner(problem.withFaults(it -> instances, it -> trials))
        .outlook(current)
        .orElseThrow();
  }

  private static int open(PlanForecast forecast) {
    return Optional.ofNullable(forecast.plan().allocations().get(Workload.OPEN))
        .orElseThrow()
        .instances();
  }

  private Offer elsewhere(double usdPerHour) {
    return new Offer(
        "aws/us-west-2",
        offer.instanceType(),
        offer.gpu(),
        offer.gpus(),
        offer.market(),
        usdPerHour,
        offer.price(),
        offer.billing(),
        offer.queueS(),
        offer.bootS(),
        offer.dataInUsd(),
        offer.diskUsdPerHour(),
        offer.coresPerGpu());
  }

  private RungReplanner replanner(Problem known) {
    return replanner(known, false);
  }

  private RungReplanner replanner(Problem known, boolean refused) {
    RentedInstance held = new RentedInstance(offer.name(), 15, 75, 0);
    return new RungReplanner(
        known,
        new RunSnapshot(
            75,
            0,
            List.of(
                new RunSnapshot.ChainSnapshot(
                    "",
                    Workload.of(SampledDescentTest.RULE).groups(),
                    Collections.nCopies(HELD, held)))),
        new RungProgress(new RungSearch(SampledDescentTest.RULE).initial(), List.of()),
        offer.name(),
        false,
        refused);
  }

  private Plan plan(int open, int closing) {
    return new Plan(
        false,
        Map.of(
            Workload.OPEN, new Allocation(offer.name(), open, 1, 1),
            Workload.CLOSING, new Allocation(offer.name(), closing, 1, 1)));
  }
}
