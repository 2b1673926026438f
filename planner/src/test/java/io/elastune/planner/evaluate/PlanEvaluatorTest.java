package io.elastune.planner.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.TestJobs;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.SearchParameters;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares evaluations of plans with the simulator. */
class PlanEvaluatorTest {
  private static final int JOBS = 16;
  private static final int PLANS = 8;
  private static final int SAMPLES = 1_000;
  private static final double EQUAL = 1e-9;

  @Test
  void finalEvaluationIsThatOfAllSamples() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = varied(seed);
      double deadlineS = problem.limits().deadlineS().orElseThrow();
      PlanEvaluator planEvaluator = judge(problem);
      Simulator simulator = new Simulator(problem, SAMPLES);
      for (Plan plan : plans(problem)) {
        JointSamples jointSamples = simulator.sample(plan);
        Evaluation evaluation = planEvaluator.evaluateFinally(plan);
        String job = "seed " + seed + ": " + TestJobs.text(plan);

        assertThat(evaluation.samples()).as(job).isEqualTo(SAMPLES);
        assertThat(evaluation.costUsd())
            .as(job)
            .isCloseTo(mean(jointSamples.costUsd()), within(EQUAL));
        assertThat(evaluation.completionS())
            .as(job)
            .isCloseTo(mean(jointSamples.completionS()), within(EQUAL));
        assertThat(evaluation.onTime())
            .as(job)
            .isEqualTo(share(jointSamples.completionS(), s -> s <= deadlineS));
        assertThat(share(jointSamples.completionS(), s -> s <= evaluation.safeS()))
            .as(job)
            .isGreaterThanOrEqualTo(problem.limits().confidence());
        assertThat(share(jointSamples.completionS(), s -> s < evaluation.safeS()))
            .as(job)
            .isLessThan(problem.limits().confidence());
        assertThat(planEvaluator.meetsAllLimits(evaluation))
            .as(job)
            .isEqualTo(evaluation.onTime() >= problem.limits().confidence());
        assertThat(planEvaluator.estimate(plan)).as(job).isEqualTo(simulator.simulate(plan));
      }
    }
  }

  @Test
  void fewSamplesApproximateManySamples() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = varied(seed);
      PlanEvaluator planEvaluator = judge(problem);
      for (Plan plan : plans(problem)) {
        double costUsd = planEvaluator.evaluateFinally(plan).costUsd();
        for (Evaluation evaluation :
            List.of(
                planEvaluator.evaluateForComparison(plan),
                planEvaluator.evaluateQuickly(plan),
                planEvaluator.evaluateForFrontier(plan))) {
          assertThat(evaluation.costUsd() / costUsd)
              .as("seed %d: %s, %d samples", seed, TestJobs.text(plan), evaluation.samples())
              .isCloseTo(1, within(0.05));
        }
      }
    }
  }

  @Test
  void clearlyWorsePlansCostMoreByAllSamples() {
    int worse = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = varied(seed);
      PlanEvaluator planEvaluator = judge(problem);
      for (Plan a : plans(problem)) {
        for (Plan b : plans(problem)) {
          if (planEvaluator.isSurelyWorse(a, b, JointSamples::costUsd)) {
            worse++;
            String job = "seed " + seed + ": " + TestJobs.text(a) + " or " + TestJobs.text(b);
            assertThat(planEvaluator.isSurelyWorse(b, a, JointSamples::costUsd)).as(job).isFalse();
            assertThat(planEvaluator.evaluateFinally(a).costUsd())
                .as(job)
                .isGreaterThan(planEvaluator.evaluateFinally(b).costUsd() - EQUAL);
          }
        }
      }
    }
    assertThat(worse).isGreaterThan(JOBS * PLANS);
  }

  @Test
  void plansThatAreWorseByFarGetFewSamples() {
    int rejected = 0;
    int byHalf = 0;
    int first = SearchParameters.DEFAULT.sampleCounts().firstSamples();
    for (long seed = 0; seed < JOBS / 2; seed++) {
      Problem problem = varied(seed);
      Plan best = plans(problem).get(0);
      for (Plan plan : plans(problem)) {
        PlanEvaluator planEvaluator = judge(problem);
        if (planEvaluator.isWorseByFar(plan, best, JointSamples::costUsd)) {
          int samples =
              planEvaluator
                  .samples()
                  .sampling(problem, plan)
                  .orElseThrow()
                  .sampleUpTo(0)
                  .costUsd()
                  .length;
          assertThat(samples).isIn(first / 2, first);
          assertThat(planEvaluator.evaluateFinally(plan).costUsd())
              .isGreaterThan(planEvaluator.evaluateFinally(best).costUsd());
          rejected++;
          byHalf += samples < first ? 1 : 0;
        }
      }
    }
    assertThat(rejected).isGreaterThan(JOBS);
    assertThat(byHalf).isGreaterThan(rejected / 2);
  }

  @Test
  void withoutSpreadOneSampleIsExact() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = TestJobs.withDeadline(RandomJobs.small(seed), 300);
      PlanEvaluator planEvaluator = judge(problem);
      for (Plan plan : plans(problem)) {
        JointSamples jointSamples = new Simulator(problem, 1).sample(plan);
        for (Evaluation evaluation :
            List.of(
                planEvaluator.evaluateQuickly(plan),
                planEvaluator.evaluateForComparison(plan),
                planEvaluator.evaluateFinally(plan))) {
          String job = "seed " + seed + ": " + TestJobs.text(plan);
          assertThat(evaluation.costUsd()).as(job).isEqualTo(jointSamples.costUsd()[0]);
          assertThat(evaluation.safeS()).as(job).isEqualTo(jointSamples.completionS()[0]);
          assertThat(planEvaluator.meetsAllLimits(evaluation))
              .as(job)
              .isEqualTo(evaluation.completionS() <= 300);
        }
      }
    }
  }

  /** Returns a job with spread, with a deadline that some of its plans meet. */
  private static Problem varied(long seed) {
    Problem still = RandomJobs.small(seed);
    double fastestS = BruteForce.front(still).fastest().orElseThrow().completionS();
    return TestJobs.withDeadline(RandomJobs.withSpread(still, seed), 1.5 * fastestS);
  }

  /** Returns some plans of a job, evenly spread over all. */
  private static List<Plan> plans(Problem problem) {
    List<Plan> all = BruteForce.plans(problem);
    int step = Math.max(1, all.size() / PLANS);
    return IntStream.range(0, all.size())
        .filter(place -> place % step == 0)
        .limit(PLANS)
        .mapToObj(all::get)
        .toList();
  }

  private static PlanEvaluator judge(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, SAMPLES, 0);
    return new PlanEvaluator(TestJobs.inputs(problem, options, false));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double share(double[] values, DoublePredicate condition) {
    return (double) Arrays.stream(values).filter(condition).count() / values.length;
  }
}
