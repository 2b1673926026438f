package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HermesOptions;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests that a time limit at any moment yields a legal plan and a valid bound. */
class LimitedTimeTest {
  private static final int JOBS = 20;
  private static final int[] CHECKS = {0, 1, 3, 10, 30, 100, 300, 1_000, 10_000};
  private static final PlannerOptions THOROUGH = new PlannerOptions(Kind.EXACT, 1, 100_000_000);
  private static final double EQUAL = 1e-7;

  @Test
  void earlyEndGivesAPlanAndAValidBound() {
    int worse = 0;
    int proven = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem free = RandomJobs.halving(seed);
      double fastestS = TestJobs.found(free, Kind.BEST).frontier().get(0).completionS();
      Problem due =
          free.withLimits(
              TestJobs.deadline((1.1 + seed % 3) * fastestS, free.limits().maxInstances()));
      Optimum optimum = ((PlanResult.Found) new Planner(due, THOROUGH).plan()).optimum();
      assertThat(optimum.proven()).as("seed %d", seed).isTrue();
      double optimumUsd = optimum.costUsd();
      for (int checks : CHECKS) {
        PlanResult answer = new Planner(due, PlannerOptions.DEFAULT, after(checks)).plan();
        if (answer instanceof PlanResult.Found found) {
          String job = "seed " + seed + ", " + checks + " checks of the time limit";
          double usd = found.estimate().costUsd().mean();
          assertThat(PlanRules.faults(due, found.plan())).as(job).isEmpty();
          assertThat(found.estimate().onTime()).as(job).isEqualTo(1);
          assertThat(usd).as(job).isGreaterThan(optimumUsd - EQUAL);
          assertThat(found.optimum().costUsd()).as(job).isLessThan(optimumUsd + EQUAL);
          assertThat(!found.optimum().proven() || usd < optimumUsd + EQUAL).as(job).isTrue();
          worse += usd > optimumUsd + EQUAL ? 1 : 0;
          proven += found.optimum().proven() ? 1 : 0;
        }
      }
    }
    assertThat(worse).as("results that the limit makes worse").isPositive();
    assertThat(proven).as("results that are proven within the limit").isPositive();
  }

  @Test
  void earlyEndIsReported() {
    Problem problem = TestJobs.workedExampleWithSpread(TestJobs.deadline(400, 8));
    PlanResult.Found found =
        (PlanResult.Found) new Planner(problem, PlannerOptions.DEFAULT, () -> true).plan();

    assertThat(found.estimate().onTime()).isGreaterThanOrEqualTo(0.95);
    assertThat(found.remarks()).anyMatch(remark -> remark.contains("the time limit was reached"));
    assertThat(TestJobs.found(problem, Kind.BEST).remarks())
        .noneMatch(remark -> remark.contains("time limit"));
  }

  /** A limit at any moment of an asynchronous search leaves a plan, with the samples until then. */
  @Test
  void earlyEndOfAnAsynchronousSearchGivesAPlan() {
    Problem problem =
        TestJobs.workedExampleWithSpread(TestJobs.deadline(600, 6))
            .withWorkload(Workload.of(SampledDescentTest.RULE));
    for (int checks : CHECKS) {
      PlanResult answer = new Planner(problem, PlannerOptions.DEFAULT, after(checks)).plan();
      String job = checks + " checks of the time limit";
      assertThat(answer).as(job).isNotInstanceOf(PlanResult.Impossible.class);
      if (answer instanceof PlanResult.Found found) {
        assertThat(PlanRules.faults(problem, found.plan())).as(job).isEmpty();
        assertThat(found.estimate().samples()).as(job).isPositive();
      }
    }
  }

  /** A single sample of 2 million slices takes longer than sampling continues after the limit. */
  @Test
  void namesTheRemedyIfNoSampleIsComplete() {
    Problem problem =
        TestJobs.workedExampleWithSpread(TestJobs.deadline(1e9, 6))
            .withWorkload(TestJobs.chain(1_000, 4_000))
            .withCluster(new FixedCluster(2, HermesOptions.DEFAULT));
    PlanResult answer = new Planner(problem, PlannerOptions.DEFAULT, () -> true).plan();

    assertThat(answer).isInstanceOf(PlanResult.Impossible.class);
    assertThat(((PlanResult.Impossible) answer).reason()).contains("raise --time-limit");
  }

  @Test
  void reportsTheProgressOfEachPhase() {
    Problem problem =
        TestJobs.workedExampleWithSpread(TestJobs.deadline(600, 6))
            .withWorkload(Workload.of(SampledDescentTest.RULE));
    Set<String> units = new LinkedHashSet<>();
    PlannerOptions options = PlannerOptions.DEFAULT.withKind(Kind.GREEDY);
    new Planner(
            problem,
            options,
            () -> false,
            (unit, done, most) -> {
              assertThat(done).as(unit).isBetween(0, most);
              units.add(unit);
            })
        .plan();

    assertThat(units)
        .containsSequence("static clusters", "best static clusters", "screened static clusters")
        .contains("steps", "samples");
  }

  private static BooleanSupplier after(int checks) {
    int[] left = {checks};
    return () -> left[0]-- <= 0;
  }
}
