package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares evaluations of plans with the simulator. */
class JudgeTest {
  private static final int JOBS = 16;
  private static final int PLANS = 8;
  private static final int SAMPLES = 1_000;
  private static final double EQUAL = 1e-9;

  @Test
  void finalEvaluationIsThatOfAllSamples() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = varied(seed);
      double deadlineS = problem.limits().deadlineS().orElseThrow();
      Judge judge = judge(problem);
      Simulator simulator = new Simulator(problem, SAMPLES);
      for (Plan plan : plans(problem)) {
        Samples samples = simulator.sample(plan);
        Verdict verdict = judge.shown(plan);
        String job = "seed " + seed + ": " + Jobs.text(plan);

        assertThat(verdict.samples()).as(job).isEqualTo(SAMPLES);
        assertThat(verdict.costUsd()).as(job).isCloseTo(mean(samples.costUsd()), within(EQUAL));
        assertThat(verdict.completionS())
            .as(job)
            .isCloseTo(mean(samples.completionS()), within(EQUAL));
        assertThat(verdict.onTime())
            .as(job)
            .isEqualTo(share(samples.completionS(), s -> s <= deadlineS));
        assertThat(share(samples.completionS(), s -> s <= verdict.safeS()))
            .as(job)
            .isGreaterThanOrEqualTo(problem.limits().confidence());
        assertThat(share(samples.completionS(), s -> s < verdict.safeS()))
            .as(job)
            .isLessThan(problem.limits().confidence());
        assertThat(judge.keepsAll(verdict))
            .as(job)
            .isEqualTo(verdict.onTime() >= problem.limits().confidence());
        assertThat(judge.estimate(plan)).as(job).isEqualTo(simulator.simulate(plan));
      }
    }
  }

  @Test
  void fewSamplesApproximateManySamples() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = varied(seed);
      Judge judge = judge(problem);
      for (Plan plan : plans(problem)) {
        double costUsd = judge.shown(plan).costUsd();
        for (Verdict verdict : List.of(judge.full(plan), judge.quick(plan), judge.some(plan))) {
          assertThat(verdict.costUsd() / costUsd)
              .as("seed %d: %s, %d samples", seed, Jobs.text(plan), verdict.samples())
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
      Judge judge = judge(problem);
      for (Plan a : plans(problem)) {
        for (Plan b : plans(problem)) {
          if (judge.isSurelyWorse(a, b, Samples::costUsd)) {
            worse++;
            String job = "seed " + seed + ": " + Jobs.text(a) + " or " + Jobs.text(b);
            assertThat(judge.isSurelyWorse(b, a, Samples::costUsd)).as(job).isFalse();
            assertThat(judge.shown(a).costUsd())
                .as(job)
                .isGreaterThan(judge.shown(b).costUsd() - EQUAL);
          }
        }
      }
    }
    assertThat(worse).isGreaterThan(JOBS * PLANS);
  }

  @Test
  void withoutSpreadOneSampleIsExact() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = Jobs.due(RandomJobs.small(seed), 300);
      Judge judge = judge(problem);
      for (Plan plan : plans(problem)) {
        Samples samples = new Simulator(problem, 1).sample(plan);
        for (Verdict verdict : List.of(judge.quick(plan), judge.full(plan), judge.shown(plan))) {
          String job = "seed " + seed + ": " + Jobs.text(plan);
          assertThat(verdict.costUsd()).as(job).isEqualTo(samples.costUsd()[0]);
          assertThat(verdict.safeS()).as(job).isEqualTo(samples.completionS()[0]);
          assertThat(judge.keepsAll(verdict)).as(job).isEqualTo(verdict.completionS() <= 300);
        }
      }
    }
  }

  /** Returns a job with spread, with a deadline that some of its plans meet. */
  private static Problem varied(long seed) {
    Problem still = RandomJobs.small(seed);
    double fastestS = BruteForce.front(still).fastest().orElseThrow().completionS();
    return Jobs.due(RandomJobs.varied(still, seed), 1.5 * fastestS);
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

  private static Judge judge(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, SAMPLES, 0);
    return new Judge(problem, options, SearchParameters.DEFAULT.sampleCounts());
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double share(double[] values, DoublePredicate condition) {
    return (double) Arrays.stream(values).filter(condition).count() / values.length;
  }
}
