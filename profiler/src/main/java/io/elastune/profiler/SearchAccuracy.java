package io.elastune.profiler;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Decides whether a profiling run that costs nothing measures further configurations, so that the
 * time of the search is predicted accurately. It does until what the measurements leave open adds
 * little to what the machine varies from one run to the next.
 *
 * <p>It ends in any case once 16 configurations, or all of the job, are measured, and before the
 * further measurements take more than 30 s and a quarter of the search.
 */
public final class SearchAccuracy {
  /** Fewer trials may look equal by chance. */
  private static final int LEAST_CONFIGURATIONS = 4;

  private static final int MOST_CONFIGURATIONS = 16;

  /** The error that is accurate enough, as a multiple of the variation from run to run. */
  private static final double ENOUGH = 1.25;

  /** The seconds that further measurements may always take. */
  private static final double ALWAYS_S = 30;

  /** The part of the search that they may take if that is more. */
  private static final double SHARE = 0.25;

  private final Workload workload;
  private final Supplier<Optional<Measured>> measured;
  private OptionalDouble sinceS = OptionalDouble.empty();

  /**
   * What a profiling run has measured so far.
   *
   * @param profile the profile that it would save now
   * @param configurations the number of trials with different hyperparameters in it
   * @param areOfSearch whether these are known to be among those of the search
   */
  public record Measured(Profile profile, int configurations, boolean areOfSearch) {}

  /** Creates a decision for the search of one job. */
  public SearchAccuracy(Workload workload, Supplier<Optional<Measured>> measured) {
    this.workload = workload;
    this.measured = measured;
  }

  /** Whether measuring on an offer costs nothing: on this machine, at notional prices. */
  public static boolean isFree(Offer offer) {
    return offer.provider().equals("local") && offer.price() == PriceKind.NOTIONAL;
  }

  /**
   * Returns the relative standard error of the predicted time of the search if another measurement
   * is needed; empty if it is accurate enough, or if measuring takes too long.
   *
   * @param elapsedS seconds since the start of the profiling run
   * @param nextS seconds that another measurement takes
   * @param slots the trials that run at once
   */
  Optional<Double> missing(double elapsedS, double nextS, int slots) {
    if (sinceS.isEmpty()) {
      sinceS = OptionalDouble.of(elapsedS);
    }
    double spentS = elapsedS - sinceS.getAsDouble();
    return measured
        .get()
        .filter(now -> spentS + nextS <= mostS(now.profile(), slots))
        .filter(now -> now.configurations() < mostConfigurations())
        .filter(this::isInaccurate)
        .map(this::error);
  }

  private boolean isInaccurate(Measured now) {
    return now.configurations() < Math.min(LEAST_CONFIGURATIONS, mostConfigurations())
        || error(now) > ENOUGH * now.profile().runCv();
  }

  private double error(Measured now) {
    return RunVariation.error(
        now.profile(), workload, now.areOfSearch() ? trials() : RunVariation.UNKNOWN);
  }

  private int trials() {
    return workload.chains().stream()
        .map(Chain::groups)
        .mapToInt(groups -> groups.get(0).trials())
        .reduce(0, (a, b) -> (int) Math.min(Integer.MAX_VALUE, (long) a + b));
  }

  private int mostConfigurations() {
    return Math.min(MOST_CONFIGURATIONS, trials());
  }

  private double mostS(Profile profile, int slots) {
    return Math.max(ALWAYS_S, SHARE * RunVariation.trialS(profile, workload) / slots);
  }
}
