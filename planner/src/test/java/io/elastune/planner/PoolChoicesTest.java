package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.pool.PoolCandidate;
import io.elastune.planner.pool.PoolChoices;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hyperband(9, 3) on shared instances of four GPUs. */
class PoolChoicesTest {
  private static final double DEADLINE_S = 450;

  private final Problem problem =
      TestJobs.problem(
          new Workload(
              List.of(
                  TestJobs.chain("a", 9, 1, 3, 2, 1, 6),
                  TestJobs.chain("b", 5, 3, 1, 6),
                  TestJobs.chain("c", 3, 9))),
          TestJobs.p3(0),
          TestJobs.profile("V100", TestJobs.RESNET50, 0, 0),
          TestJobs.deadline(DEADLINE_S, 8));
  private final PoolChoices search = search(false);

  private PoolChoices search(boolean timeLimitReached) {
    return new PoolChoices(
        TestJobs.inputs(problem, PlannerOptions.DEFAULT, timeLimitReached), List.of(), List.of());
  }

  @Test
  void trialsNeverUseTwoInstances() {
    OfferChoice offer = search.offers().get(0);

    assertThat(search.sizes(offer)).isSorted().containsExactly(1, 2, 4);
  }

  @Test
  void findsCheaperPlansThanStaticOnesWithinTheDeadline() {
    search.searchWithin(DEADLINE_S, 4);

    double usd =
        search.front().items().stream()
            .filter(candidate -> candidate.completionS() <= DEADLINE_S)
            .mapToDouble(PoolCandidate::costUsd)
            .min()
            .orElseThrow();
    double staticUsd =
        search.statics().get(0).stream()
            .filter(candidate -> candidate.completionS() <= DEADLINE_S)
            .mapToDouble(PoolCandidate::costUsd)
            .min()
            .orElseThrow();
    assertThat(usd).isLessThan(staticUsd);
  }

  @Test
  void candidatesRespectTheBounds() {
    search.searchWithin(0, 4);
    search.descendWithin(Double.POSITIVE_INFINITY);

    assertThat(search.front().items())
        .isNotEmpty()
        .allMatch(candidate -> candidate.costUsd() >= search.bounds().leastUsd())
        .allMatch(candidate -> candidate.completionS() >= search.bounds().shortestS())
        .allMatch(candidate -> candidate.instances() <= 8);
  }

  @Test
  void frontierHasNoPlanThatIsSlowerAndMoreExpensive() {
    search.descendWithin(Double.POSITIVE_INFINITY);

    List<PoolCandidate> front = search.front().items();
    for (int i = 1; i < front.size(); i++) {
      assertThat(front.get(i).completionS()).isGreaterThan(front.get(i - 1).completionS());
      assertThat(front.get(i).costUsd()).isLessThan(front.get(i - 1).costUsd());
    }
  }

  @Test
  void searchesNothingAfterItsTimeLimit() {
    PoolChoices late = search(true);
    late.searchWithin(DEADLINE_S, 4);

    assertThat(late.front().items()).isEmpty();
  }
}
