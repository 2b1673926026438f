package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.TimeAndCost;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Enumerates the plans of jobs of two chains that share limits. */
public final class PlanPairs {
  private final Problem problem;
  private final List<ChainCandidate> first;
  private final List<ChainCandidate> second;

  public PlanPairs(Problem problem) {
    this.problem = problem;
    int most = problem.limits().maxInstances();
    this.first = plans(problem, 0, most);
    this.second = plans(problem, 1, most);
  }

  private static List<ChainCandidate> plans(Problem problem, int chain, int most) {
    MeanValueModel model = ScoredPlans.model(problem, problem.workload().chains().get(chain));
    return ScoredPlans.all(model, most);
  }

  /** Returns the least time in which both chains can complete; infinite if no pair fits. */
  public double fastestS() {
    double leastS = Double.POSITIVE_INFINITY;
    for (ChainCandidate a : first) {
      for (ChainCandidate b : second) {
        double endS = Math.max(a.completionS(), b.completionS());
        if (endS < leastS && fits(a, b)) {
          leastS = endS;
        }
      }
    }
    return leastS;
  }

  /** Returns the least cost within a deadline; infinite if no pair fits. */
  public double leastUsd(double deadlineS) {
    return leastUsd(deadlineS, problem.running().usdPerS());
  }

  /** Returns the same without the hourly costs of the job as a whole. */
  public double leastRentUsd(double deadlineS) {
    return leastUsd(deadlineS, 0);
  }

  private double leastUsd(double deadlineS, double usdPerS) {
    double leastUsd = Double.POSITIVE_INFINITY;
    for (ChainCandidate a : first) {
      if (a.completionS() > deadlineS || a.costUsd() >= leastUsd) {
        continue;
      }
      for (ChainCandidate b : second) {
        double usd = a.costUsd() + b.costUsd() + Math.max(a.meanS(), b.meanS()) * usdPerS;
        if (b.completionS() <= deadlineS && usd < leastUsd && fits(a, b)) {
          leastUsd = usd;
        }
      }
    }
    return leastUsd;
  }

  /** Whether two plans together stay within the shared limits of the job. */
  public boolean fits(ChainCandidate a, ChainCandidate b) {
    Limits limits = problem.limits();
    return a.peak() + b.peak() <= limits.maxInstances()
        && a.peak(Offer::usdPerHour) + b.peak(Offer::usdPerHour)
            <= limits.maxUsdPerHour() + TimeAndCost.TOLERANCE
        && limits.quotas().stream()
            .allMatch(
                quota ->
                    a.peak(offer -> quota.unitsPerInstance(offer.name()))
                            + b.peak(offer -> quota.unitsPerInstance(offer.name()))
                        <= quota.limit());
  }

  /** Returns a job with limits on dollars per hour, on a quota of GPUs, or on both. */
  public static Problem limited(Problem problem, long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    int kind = random.nextInt(3);
    double highest = problem.offers().stream().mapToDouble(Offer::usdPerHour).max().orElseThrow();
    int fewest = problem.offers().stream().mapToInt(Offer::gpus).min().orElseThrow();
    Map<String, Integer> gpus =
        problem.offers().stream().collect(Collectors.toMap(Offer::name, Offer::gpus));
    Quota quota = new Quota("all GPUs", "GPU", 2 * fewest + random.nextInt(8), gpus);
    double usdPerHour = (1.5 + 1.5 * random.nextDouble()) * highest;
    return problem.withLimits(
        new Limits(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            0.95,
            problem.limits().maxInstances(),
            kind == 1 ? Double.POSITIVE_INFINITY : usdPerHour,
            kind == 0 ? List.of() : List.of(quota)));
  }
}
