package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import java.util.List;

/**
 * Deals the instances of a job out to its chains, which run side by side. What the chains hold
 * together is the sum of their peaks, so a plan is as good as its chains are on their shares.
 */
final class Dealer {
  private final Problem problem;
  private final List<ChainSearch> chains;
  private final double clockUsdPerS;
  private final SearchParameters.Combination parameters;

  /**
   * @param clockUsdPerS what every second until the last chain has ended costs
   */
  Dealer(
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
   * Looks at the ways to deal instances out, those that may cost least first, until the best of
   * them is known for certain; the plans of which it is made are known then.
   *
   * @param effort steps of the exact search, for all chains together
   */
  void deal(double deadlineS, long effort) {
    double fromS = clockUsdPerS > 0 ? 0 : deadlineS;
    long left = effort;
    boolean exact = false;
    while (left >= 0 && !exact) {
      Dealing dealing = dealing(deadlineS);
      exact = true;
      for (int chain = 0; chain < chains.size() && !Double.isInfinite(dealing.usd()); chain++) {
        int cap = dealing.caps()[chain];
        if (left >= 0 && !chains.get(chain).isExact(deadlineS, cap)) {
          left = chains.get(chain).exact(new Exact.Goal(fromS, deadlineS, cap), left);
          exact = false;
        }
      }
    }
  }

  /**
   * Dollars that no plan for all chains costs less than.
   *
   * @param soonestS before which no plan ends
   */
  double leastUsd(double deadlineS, double soonestS) {
    if (clockUsdPerS == 0) {
      return dealing(deadlineS).usd();
    }
    double[] ends =
        chains.stream()
            .flatMapToDouble(chain -> chain.pool().completionsS())
            .filter(endS -> endS > soonestS && endS < deadlineS)
            .distinct()
            .sorted()
            .toArray();
    double least = Double.POSITIVE_INFINITY;
    double afterS = soonestS;
    int step = Math.max(1, ends.length / parameters.boundEnds());
    for (int end = step - 1; end < ends.length; end += step) {
      least = Math.min(least, dealing(ends[end]).usd() + afterS * clockUsdPerS);
      afterS = ends[end];
    }
    return Math.min(least, dealing(deadlineS).usd() + afterS * clockUsdPerS);
  }

  /** The way to deal instances out that costs least, as far as is known for certain. */
  private Dealing dealing(double deadlineS) {
    return Dealing.best(
        chains.size(), mostInstances(), (chain, own) -> chains.get(chain).leastUsd(deadlineS, own));
  }

  /** That all chains together may hold: fewer where prices or quotas say so for the only offer. */
  private int mostInstances() {
    Limits limits = problem.limits();
    List<Rental> rentals = chains.get(0).model().menu().rentals();
    if (rentals.size() > 1) {
      return limits.maxInstances();
    }
    Offer offer = rentals.get(0).offer();
    double payable = Math.floor(limits.maxUsdPerHour() / offer.usdPerHour() + Timed.SAME);
    double most = Math.min(limits.maxInstances(), payable);
    for (Quota quota : limits.quotas()) {
      most = Math.min(most, quota.most(offer.name()));
    }
    return (int) most;
  }
}
