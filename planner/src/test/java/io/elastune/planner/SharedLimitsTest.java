package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.properties.Tier;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.ParetoFront;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares plans of two chains that share limits with the enumeration of all plans. */
class SharedLimitsTest {
  private static final int JOBS = Tier.runs(10, 30);
  private static final int JOBS_OF_TWO_OFFERS = Tier.runs(27, 80);
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  @Test
  void plansAreOptimalAndBoundsAreValid() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = job(seed);
      ParetoFront<BruteForce.SimulatedPlan> all = BruteForce.front(problem);
      double fastestS = all.fastest().orElseThrow().completionS();
      boolean hasHourlyCosts = problem.running().usdPerS() > 0;
      for (double slack : SLACKS) {
        double deadlineS = slack * fastestS + EQUAL;
        double optimumUsd = all.cheapestWithin(deadlineS).orElseThrow().costUsd();
        int most = problem.limits().maxInstances();
        PlanResult.Found found =
            TestJobs.found(
                problem.withLimits(TestJobs.deadline(deadlineS, most)), PlannerOptions.Kind.BEST);
        String job = "seed " + seed + ", slack " + slack;

        assertThat(found.estimate().costUsd().mean()).as(job).isCloseTo(optimumUsd, within(EQUAL));
        // Hourly costs of the whole job couple the ends of the chains: the bound is looser there.
        assertThat(found.optimum().boundUsd())
            .as(job)
            .isBetween((hasHourlyCosts ? 0.85 : 1) * optimumUsd - EQUAL, optimumUsd + EQUAL);
      }
    }
  }

  @Test
  void hourlyCostLimitOfOneOfferIsShared() {
    for (long seed = 0; seed < JOBS; seed += 3) {
      Problem free = job(seed);
      double usdPerHour = free.offers().get(0).usdPerHour();
      Problem problem =
          free.withLimits(
              new Limits(
                  OptionalDouble.empty(),
                  OptionalDouble.empty(),
                  0.95,
                  free.limits().maxInstances(),
                  2.5 * usdPerHour));
      ParetoFront<BruteForce.SimulatedPlan> all = BruteForce.front(problem);
      double deadlineS = 1.4 * all.fastest().orElseThrow().completionS();
      PlanResult.Found found =
          TestJobs.found(
              problem.withLimits(
                  new Limits(
                      OptionalDouble.of(deadlineS),
                      OptionalDouble.empty(),
                      0.95,
                      free.limits().maxInstances(),
                      2.5 * usdPerHour)),
              PlannerOptions.Kind.BEST);

      assertThat(found.estimate().costUsd().mean())
          .as("seed %d", seed)
          .isCloseTo(all.cheapestWithin(deadlineS).orElseThrow().costUsd(), within(EQUAL));
    }
  }

  @Test
  void limitsAndQuotasOfTwoOffersAreShared() {
    for (long seed = 0; seed < JOBS_OF_TWO_OFFERS; seed++) {
      if (RandomJobs.small(seed).offers().size() == 2) {
        assertOptimal(seed);
      }
    }
  }

  private static void assertOptimal(long seed) {
    Problem free = job(seed, 2);
    ParetoFront<BruteForce.SimulatedPlan> all =
        BruteForce.front(free.withLimits(shared(free, seed, OptionalDouble.empty())));
    for (double slack : all.items().isEmpty() ? new double[0] : SLACKS) {
      double deadlineS = slack * all.fastest().orElseThrow().completionS() + EQUAL;
      double optimumUsd = all.cheapestWithin(deadlineS).orElseThrow().costUsd();
      PlanResult.Found found =
          TestJobs.found(
              free.withLimits(shared(free, seed, OptionalDouble.of(deadlineS))),
              PlannerOptions.Kind.BEST);
      String job = "seed " + seed + ", slack " + slack;

      assertThat(found.estimate().costUsd().mean()).as(job).isCloseTo(optimumUsd, within(EQUAL));
      assertThat(found.optimum().boundUsd()).as(job).isLessThanOrEqualTo(optimumUsd + EQUAL);
      assertThat(found.optimum().proven())
          .as(job)
          .isEqualTo(
              found.remarks().stream().noneMatch(remark -> remark.contains("not proven optimal")));
    }
  }

  /** Returns a limit on dollars per hour, a quota to which both offers count, or both. */
  private static Limits shared(Problem free, long seed, OptionalDouble deadlineS) {
    SplittableRandom random = new SplittableRandom(~seed);
    int kind = random.nextInt(3);
    double highestUsd = free.offers().stream().mapToDouble(Offer::usdPerHour).max().orElseThrow();
    double lowestUsd = free.offers().stream().mapToDouble(Offer::usdPerHour).min().orElseThrow();
    int fewest = free.offers().stream().mapToInt(Offer::gpus).min().orElseThrow();
    double usdPerHour = Math.max(2 * lowestUsd, (1 + 2 * random.nextDouble()) * highestUsd);
    Map<String, Integer> gpus =
        free.offers().stream().collect(Collectors.toMap(Offer::name, Offer::gpus));
    Quota quota = new Quota("all GPUs", "GPU", 2 * fewest + random.nextInt(8), gpus);
    return new Limits(
        deadlineS,
        OptionalDouble.empty(),
        0.95,
        free.limits().maxInstances(),
        kind == 1 ? Double.POSITIVE_INFINITY : usdPerHour,
        kind == 0 ? List.of() : List.of(quota));
  }

  /** Returns a job of two chains, of two groups and of one, on at most four instances. */
  private static Problem job(long seed) {
    return job(seed, 1);
  }

  private static Problem job(long seed, int offers) {
    SplittableRandom random = new SplittableRandom(seed);
    Problem like = RandomJobs.small(seed);
    Workload workload =
        new Workload(
            List.of(
                TestJobs.chain(
                    "a",
                    2 + random.nextInt(6),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    1 + random.nextInt(4)),
                TestJobs.chain("b", 1 + random.nextInt(5), 1 + random.nextInt(5))));
    return new Problem(
        workload,
        like.offers().subList(0, offers),
        like.profiles(),
        like.gpusPerTrial(),
        TestJobs.deadline(1e9, 2 + random.nextInt(3)),
        like.running(),
        seed);
  }
}
