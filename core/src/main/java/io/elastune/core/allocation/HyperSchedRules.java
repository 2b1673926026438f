package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.profile.Profile;

/**
 * Derives how HyperSched divides the instances of an offer among trials (docs/searches.md,
 * "HyperSched").
 */
public final class HyperSchedRules {
  /** The 90th percentile of the standard normal distribution. */
  private static final double Z_90 = 1.2815515655446004;

  private HyperSchedRules() {}

  /**
   * Returns the rule on one offer.
   *
   * @throws IllegalArgumentException if the problem allows no number of GPUs per trial on the offer
   * @throws java.util.NoSuchElementException if the problem has no policy HyperSched or no rungs
   */
  public static HyperSchedRule of(Problem problem, Offer offer) {
    RungRule rungs = problem.workload().rungs().orElseThrow();
    return problem
        .hyperSched()
        .orElseThrow()
        .rule(rungs.targets(), rungs.eta(), FluidRules.sizes(problem, offer));
  }

  /**
   * Returns the times of the profile on which decisions depend.
   *
   * @param leftS seconds to the deadline
   */
  public static PolicyView.Timing timing(double leftS, Profile profile, HyperSchedRule rule) {
    return new PolicyView.Timing(
        leftS,
        profile.startupS().logNormal(Z_90),
        profile.secondsPerUnit(rule.sizes().first()).orElseThrow());
  }
}
