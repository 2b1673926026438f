package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compares exact label setting with all plans of small jobs. */
class ExactTest {
  private static final int JOBS = 40;
  private static final long EFFORT = 100_000_000;
  private static final double[] SLACKS = {1, 1.1, 1.5, 3};
  private static final double EQUAL = 1e-7;

  @Test
  void findsTheWholeFrontier() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      Exact.Goal goal = new Exact.Goal(0, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
      List<Draft> found = search(problem, goal).items();
      List<BruteForce.Tried> optima = BruteForce.front(problem).items();

      assertThat(found).as("seed %d", seed).hasSameSizeAs(optima);
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i).completionS())
            .as("seed %d, point %d", seed, i)
            .isCloseTo(optima.get(i).completionS(), within(EQUAL));
        assertThat(found.get(i).costUsd())
            .as("seed %d, point %d", seed, i)
            .isCloseTo(optima.get(i).costUsd(), within(EQUAL));
      }
    }
  }

  @Test
  void findsTheCheapestPlanOfEachCapAndDeadline() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      ChainModel model = ScoredPlans.model(problem);
      for (int cap = 1; cap <= problem.limits().maxInstances(); cap++) {
        Front<Draft> optima = ScoredPlans.front(ScoredPlans.all(model, cap));
        for (double slack : optima.items().isEmpty() ? new double[0] : SLACKS) {
          double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
          Front<Draft> found = search(problem, new Exact.Goal(deadlineS, deadlineS, cap));
          assertThat(found.cheapestBy(deadlineS).orElseThrow().costUsd())
              .as("seed %d, cap %d, slack %s", seed, cap, slack)
              .isCloseTo(optima.cheapestBy(deadlineS).orElseThrow().costUsd(), within(EQUAL));
        }
      }
    }
  }

  @Test
  void stopsWhenTheEffortIsSpent() {
    long stopped =
        LongStream.range(0, JOBS)
            .mapToObj(RandomJobs::small)
            .filter(problem -> !exact(problem, new Front<>(Draft.SMALLER), 0).search())
            .count();
    assertThat(stopped).isEqualTo(JOBS);
  }

  private static Front<Draft> search(Problem problem, Exact.Goal goal) {
    Front<Draft> front = new Front<>(Draft.SMALLER);
    ChainModel model = ScoredPlans.model(problem);
    Relaxation bound = new Relaxation(model, TimePrices.wide(model), EFFORT, () -> false);
    Exact exact = new Exact(model, bound, front, goal, EFFORT, () -> false);
    assertThat(exact.search()).as("completed, seed %d", problem.seed()).isTrue();
    return front;
  }

  private static Exact exact(Problem problem, Front<Draft> front, long effort) {
    ChainModel model = ScoredPlans.model(problem);
    Relaxation bound = new Relaxation(model, TimePrices.wide(model), EFFORT, () -> false);
    Exact.Goal goal = new Exact.Goal(0, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
    return new Exact(model, bound, front, goal, effort, () -> false);
  }
}
