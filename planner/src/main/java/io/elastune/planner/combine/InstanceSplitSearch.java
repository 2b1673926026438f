package io.elastune.planner.combine;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.search.ChainSearch;
import io.elastune.planner.search.LabelSettingSearch;
import java.util.List;

/**
 * Finds the best split of the instances of a job among chains that run side by side. A split is as
 * good as the plans of the chains on their shares, since chains together hold the sum of their
 * peaks.
 */
final class InstanceSplitSearch {
  private final Problem problem;
  private final List<ChainSearch> chains;
  private final double clockUsdPerS;
  private final SearchParameters.Combination parameters;

  /**
   * @param clockUsdPerS dollars per second until the last chain completes
   */
  InstanceSplitSearch(
      Problem problem,
      List<ChainSearch> chains,
      double clockUsdPerS,
      SearchParameters.Combination parameters) {
    this.parameters = parameters;
    this.problem = problem;
    this.chains = chains;
    this.clockUsdPerS = clockUsdPerS;
  }

  /**
   * Examines splits in the order of their bounds until the best one is proven. The plans that it
   * consists of are then in the pools.
   *
   * @param effort steps of the exact search for all chains together
   */
  void proveBestSplit(double deadlineS, long effort) {
    double fromS = clockUsdPerS > 0 ? 0 : deadlineS;
    long left = effort;
    boolean exact = false;
    while (left >= 0 && !exact) {
      KnapsackAllocation split = leastBound(deadlineS);
      exact = true;
      for (int chain = 0; chain < chains.size() && !Double.isInfinite(split.usd()); chain++) {
        int cap = split.caps()[chain];
        if (left >= 0 && !chains.get(chain).isExact(deadlineS, cap)) {
          left =
              chains
                  .get(chain)
                  .searchExactly(new LabelSettingSearch.SearchGoal(fromS, deadlineS, cap), left);
          exact = false;
        }
      }
    }
  }

  /**
   * Returns a lower bound, in USD, of the cost of every plan for all chains.
   *
   * @param earliestS the time before which no plan completes
   */
  double leastUsd(double deadlineS, double earliestS) {
    if (clockUsdPerS == 0) {
      return leastBound(deadlineS).usd();
    }
    double[] ends =
        chains.stream()
            .flatMapToDouble(chain -> chain.pool().completionsS())
            .filter(endS -> endS > earliestS && endS < deadlineS)
            .distinct()
            .sorted()
            .toArray();
    double least = Double.POSITIVE_INFINITY;
    double afterS = earliestS;
    int step = Math.max(1, ends.length / parameters.boundEnds());
    for (int end = step - 1; end < ends.length; end += step) {
      least = Math.min(least, leastBound(ends[end]).usd() + afterS * clockUsdPerS);
      afterS = ends[end];
    }
    return Math.min(least, leastBound(deadlineS).usd() + afterS * clockUsdPerS);
  }

  /** Returns the split with the least bound of the costs. */
  private KnapsackAllocation leastBound(double deadlineS) {
    return KnapsackAllocation.best(
        chains.size(), mostInstances(), (chain, own) -> chains.get(chain).leastUsd(deadlineS, own));
  }

  /**
   * Instances that all chains together may hold: fewer than the limit if the hourly limit or a
   * quota allows fewer of the only offer.
   */
  private int mostInstances() {
    Limits limits = problem.limits();
    List<OfferChoice> offerChoices = chains.get(0).model().choiceSet().offerChoices();
    if (offerChoices.size() > 1) {
      return limits.maxInstances();
    }
    Offer offer = offerChoices.get(0).offer();
    double payable =
        Math.floor(limits.maxUsdPerHour() / offer.usdPerHour() + TimeAndCost.TOLERANCE);
    double most = Math.min(limits.maxInstances(), payable);
    for (Quota quota : limits.quotas()) {
      most = Math.min(most, quota.maxInstances(offer.name()));
    }
    return (int) most;
  }
}
