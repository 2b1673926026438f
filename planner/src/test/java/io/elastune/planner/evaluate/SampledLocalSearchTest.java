package io.elastune.planner.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.TestJobs;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.SearchParameters;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares local search by sampling with an evaluation of all plans of small jobs. */
class SampledLocalSearchTest {
  private static final int JOBS = 40;
  private static final int SAMPLES = 300;
  private static final double[] SLACKS = {1.1, 1.4, 2.5};
  private static final double MEAN_GAP = 0.01;
  private static final double WORST_GAP = 0.2;

  /** Moves compare few samples: by more, a plan may cost more by this part. */
  private static final double NOISE = 0.02;

  private static final double EQUAL = 1e-9;

  @Test
  void costFallsTowardsTheLeastOfAllPlans() {
    int searches = 0;
    double gaps = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem still = RandomJobs.small(seed);
      if (still.workload().groups().size() > 2) {
        continue; // There are too many plans to sample.
      }
      for (double slack : SLACKS) {
        SearchedProblem searchedProblem = new SearchedProblem(seed, still, slack);
        Optional<Evaluation> start = searchedProblem.start();
        if (start.isPresent()) {
          Evaluation end = searchedProblem.improved(start.get());
          double leastUsd = searchedProblem.leastUsd();
          String name = "seed " + seed + ", slack " + slack;

          assertThat(searchedProblem.planEvaluator.meetsAllLimits(end)).as(name).isTrue();
          assertThat(end.costUsd())
              .as(name)
              .isBetween(leastUsd - EQUAL, start.get().costUsd() * (1 + NOISE))
              .isLessThan(leastUsd * (1 + WORST_GAP));
          searches++;
          gaps += end.costUsd() / leastUsd - 1;
        }
      }
    }
    assertThat(searches).isGreaterThan(JOBS / 2);
    assertThat(gaps / searches).isLessThan(MEAN_GAP);
  }

  /** A job with spread and a deadline, and the candidates of a greedy search. */
  private static final class SearchedProblem {
    private final Problem problem;
    private final PlanEvaluator planEvaluator;
    private final JobSearch search;
    private final double deadlineS;
    private final List<JobCandidate> front;

    SearchedProblem(long seed, Problem still, double slack) {
      deadlineS = slack * BruteForce.front(still).fastest().orElseThrow().completionS();
      problem = TestJobs.withDeadline(RandomJobs.withSpread(still, seed), deadlineS);
      PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, SAMPLES, 0);
      planEvaluator = new PlanEvaluator(TestJobs.inputs(problem, options, false));
      search = TestJobs.search(problem);
      search.hasten();
      search.descend(deadlineS);
      front = search.front(deadlineS).items();
    }

    /** Returns the fastest candidate, which leaves most to improve, if it meets the deadline. */
    Optional<Evaluation> start() {
      return Optional.of(planEvaluator.evaluateForComparison(plan(front.get(0))))
          .filter(planEvaluator::meetsAllLimits);
    }

    Evaluation improved(Evaluation start) {
      SearchParameters.LocalSearch parameters = SearchParameters.DEFAULT.localSearch();
      SampledLocalSearch sampledLocalSearch =
          new SampledLocalSearch(search, planEvaluator, parameters, deadlineS);
      Evaluation end = sampledLocalSearch.reduceCost(front.get(0), start, front);
      assertThat(sampledLocalSearch.foundPlans())
          .allMatch(
              plan ->
                  planEvaluator
                      .allLimits()
                      .mayBeMet()
                      .test(planEvaluator.evaluateForComparison(plan)));
      return end;
    }

    double leastUsd() {
      return BruteForce.plans(problem).stream()
          .map(planEvaluator::evaluateForComparison)
          .filter(planEvaluator::meetsAllLimits)
          .mapToDouble(Evaluation::costUsd)
          .min()
          .orElseThrow();
    }

    private Plan plan(JobCandidate jobCandidate) {
      return search.plan(jobCandidate, false);
    }
  }
}
