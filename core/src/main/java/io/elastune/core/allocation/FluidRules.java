package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import java.util.List;

/** Derives how Fluid divides the instances of an offer among trials (docs/searches.md, "Fluid"). */
public final class FluidRules {
  private FluidRules() {}

  /**
   * Returns the rule on one offer.
   *
   * @throws IllegalArgumentException if the problem allows no number of GPUs per trial on the offer
   * @throws java.util.NoSuchElementException if the problem has no policy Fluid, or no profile
   */
  public static FluidRule of(Problem problem, Offer offer) {
    return problem
        .fluid()
        .orElseThrow()
        .rule(problem.profile(offer).orElseThrow(), sizes(problem, offer));
  }

  /** Returns the measured seconds per unit with each width that {@link #of} allows. */
  public static WidthSeconds seconds(Profile profile) {
    return width -> profile.secondsPerUnit(width.gpus(), width.trialsPerGpu()).orElseThrow();
  }

  /**
   * Returns the numbers of GPUs per trial that Fluid chooses from, ascending. No trial exceeds one
   * instance.
   */
  static List<Integer> sizes(Problem problem, Offer offer) {
    return TrialSizes.of(problem, offer).stream().filter(size -> size <= offer.gpus()).toList();
  }
}
