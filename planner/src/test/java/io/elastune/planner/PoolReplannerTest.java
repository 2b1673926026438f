package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.PresentGroup.RunningTrial;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.pool.PoolReplanner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Re-plans two brackets that share two instances of four GPUs, whose first groups are running. */
class PoolReplannerTest {
  private static final int HELD = 2;
  private static final double NOW_S = 100;
  private static final List<TrialGroup> LONG =
      List.of(
          new TrialGroup("a.1", 4, 0, 4),
          new TrialGroup("a.2", 2, 4, 8),
          new TrialGroup("a.3", 1, 8, 16));
  private static final List<TrialGroup> SHORT =
      List.of(new TrialGroup("b.1", 12, 0, 2), new TrialGroup("b.2", 6, 2, 4));

  private final Problem problem =
      TestJobs.workedExampleWithSpread(TestJobs.deadline(1_000, 8))
          .withWorkload(new Workload(List.of(new Chain("a", LONG), new Chain("b", SHORT))));
  private final Offer offer = problem.offers().get(0);
  private final Plan current = plan(HELD);

  /** Trials that are about to end do so, and are not trained again. */
  @Test
  void forecastsTheTrialsThatRun() {
    PlanForecast begun = replanner(problem, 0, 130).outlook(current).orElseThrow();
    PlanForecast ending = replanner(problem, 3, 1).outlook(current).orElseThrow();

    assertThat(ending.meanS()).isLessThan(begun.meanS() - 60);
    assertThat(ending.safeS()).isLessThan(begun.safeS() - 60);
    assertThat(ending.costUsd()).isLessThan(begun.costUsd());
  }

  @Test
  void samplesAFewOtherPlansFromTheSameState() {
    PoolReplanner replanner = replanner(problem, 1, 90);
    List<PlanForecast> others = replanner.alternatives(current);

    assertThat(others).isNotEmpty().hasSizeLessThanOrEqualTo(8);
    assertThat(others)
        .extracting(PlanForecast::plan)
        .doesNotContain(current)
        .doesNotHaveDuplicates();
    assertThat(others).anyMatch(it -> instances(it) > HELD);
    for (PlanForecast other : others) {
      assertThat(replanner(problem, 1, 90).outlook(other.plan())).hasValue(other);
    }
    assertThat(replanner(problem, 1, 90, true).alternatives(current))
        .allMatch(it -> instances(it) == HELD);
  }

  /** More instances end it earlier where the deadline is close. */
  @Test
  void findsAPlanThatMeetsTheDeadline() {
    Problem close = problem.withLimits(TestJobs.deadline(480, 8));
    PoolReplanner replanner = replanner(close, 1, 90);

    assertThat(replanner.outlook(current).orElseThrow().safeS()).isGreaterThan(480);
    assertThat(replanner.alternatives(current)).anyMatch(it -> it.safeS() <= 480);
  }

  @Test
  void forecastsHaveTheFaultsOfTheRest() {
    FaultRate none = FaultRate.assumed(0);
    FaultRate often = FaultRate.assumed(12);
    PlanForecast reliable = replanner(problem, 1, 90).outlook(current).orElseThrow();
    Problem lossy =
        problem.withFaults(
            it -> new InstanceFaultRates(none, 0, none, none, 1, often, none, 0, 0),
            it -> TrialFaultRates.NONE);
    Problem crashing =
        problem.withFaults(
            it -> InstanceFaultRates.NONE, it -> new TrialFaultRates(often, none, none));

    for (Problem faulty : List.of(lossy, crashing)) {
      PlanForecast forecast = replanner(faulty, 1, 90).outlook(current).orElseThrow();
      assertThat(forecast.meanS()).isGreaterThan(reliable.meanS());
      assertThat(forecast.safeS()).isGreaterThan(reliable.safeS());
      assertThat(forecast.costUsd()).isGreaterThan(reliable.costUsd());
    }
  }

  private static int instances(PlanForecast forecast) {
    return forecast.plan().allocations().values().iterator().next().instances();
  }

  /**
   * @param done units of the trials that run of which there are checkpoints
   * @param leftS seconds until they end
   */
  private PoolReplanner replanner(Problem known, int done, double leftS) {
    return replanner(known, done, leftS, false);
  }

  private PoolReplanner replanner(Problem known, int done, double leftS, boolean refused) {
    RentedInstance held = new RentedInstance(offer.name(), 15, 75, 25);
    PresentGroup first =
        new PresentGroup(
            LONG.get(0),
            IntStream.range(0, 4)
                .mapToObj(trial -> new RunningTrial(done, 0, trial, 1, leftS))
                .toList(),
            List.of());
    PresentGroup second =
        new PresentGroup(
            SHORT.get(0),
            IntStream.range(0, 4).mapToObj(trial -> new RunningTrial(0, 1, trial, 1, 40)).toList(),
            Collections.nCopies(8, 0));
    return new PoolReplanner(
        known,
        new RunSnapshot(
            NOW_S,
            0,
            List.of(
                new RunSnapshot.ChainSnapshot("a", LONG, List.of(held, held)),
                new RunSnapshot.ChainSnapshot("b", SHORT, List.of()))),
        List.of(first, second),
        offer.name(),
        refused);
  }

  private Plan plan(int instances) {
    Map<String, Allocation> allocations = new TreeMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      allocations.put(group.name(), new Allocation(offer.name(), instances, 1, 1));
    }
    return new Plan(false, true, allocations);
  }
}
