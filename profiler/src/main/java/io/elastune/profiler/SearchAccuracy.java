package io.elastune.profiler;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasuredNumber;
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
 * further measurements take more than 30 s and a quarter of the search. Beside other programs,
 * these 30 s are longer in the same proportion as the trials, so that as many are measured.
 */
public final class SearchAccuracy {
  /** Fewer trials may look equal by chance. */
  private static final int LEAST_CONFIGURATIONS = 4;

  private static final int MOST_CONFIGURATIONS = 16;

  /** The error that is accurate enough, as a multiple of the variation from run to run. */
  private static final double ENOUGH = 1.25;

  /** The seconds that further measurements may always take on an idle machine. */
  private static final double ALWAYS_S = 30;

  /** The part of the search that they may take if that is more. */
  private static final double SHARE = 0.25;

  /** The time that they leave for the search before its deadline, as a multiple of its own. */
  private static final double RESERVE = 2;

  private final Workload workload;
  private final OptionalDouble deadlineS;
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

  /**
   * A prediction that needs further measurements.
   *
   * @param error the relative standard error of the predicted time of the search
   * @param leftS the seconds that all further measurements may take
   */
  record Missing(double error, double leftS) {}

  /**
   * Creates a decision for the search of one job.
   *
   * @param deadlineS seconds from the start of the profiling run to the deadline of the job
   */
  public SearchAccuracy(
      Workload workload, OptionalDouble deadlineS, Supplier<Optional<Measured>> measured) {
    this.workload = workload;
    this.deadlineS = deadlineS;
    this.measured = measured;
  }

  /** Whether measuring on an offer costs nothing: on this machine, at notional prices. */
  public static boolean isFree(Offer offer) {
    return offer.provider().equals("local") && offer.price() == PriceKind.NOTIONAL;
  }

  /**
   * Returns what is missing if another measurement is needed; empty if the prediction is accurate
   * enough, or if measuring takes too long.
   *
   * @param elapsedS seconds since the start of the profiling run
   * @param nextS seconds that another measurement takes
   * @param slots the trials that run at once
   */
  Optional<Missing> missing(double elapsedS, double nextS, int slots) {
    if (sinceS.isEmpty()) {
      sinceS = OptionalDouble.of(elapsedS);
    }
    double spentS = elapsedS - sinceS.getAsDouble();
    return measured
        .get()
        .filter(now -> now.configurations() < mostConfigurations())
        .filter(this::isInaccurate)
        .map(now -> new Missing(error(now), leftS(now.profile(), slots, elapsedS, spentS)))
        .filter(one -> nextS <= one.leftS());
  }

  private boolean isInaccurate(Measured now) {
    return counted(now) < Math.min(LEAST_CONFIGURATIONS, mostConfigurations())
        || error(now) > ENOUGH * now.profile().runCv();
  }

  /** Returns the configurations of which the seconds per unit are the mean. */
  private static int counted(Measured now) {
    String name = "training." + now.profile().secondsByGpus().firstKey();
    int count = now.profile().measured().number(name).map(MeasuredNumber::count).orElse(0);
    return Math.min(count, now.configurations());
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

  private double leftS(Profile profile, int slots, double elapsedS, double spentS) {
    double searchS = RunVariation.trialS(profile, workload) / slots;
    double alwaysS = ALWAYS_S * profile.load().map(MachineLoad::slowdownByOthers).orElse(1.0);
    double untilDeadlineS =
        deadlineS.orElse(Double.POSITIVE_INFINITY) - RESERVE * searchS - elapsedS;
    return Math.min(Math.max(alwaysS, SHARE * searchS) - spentS, untilDeadlineS);
  }
}
