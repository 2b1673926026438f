package io.elastune.profiler;

import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The spread of units, trials and instances on rented instances before any measurement. It counts
 * as one independent comparison: a spread that was measured {@code n} times has the weight {@code n
 * / (n + 1)}. This is the conjugate prior of a variance (Gelman et al., Bayesian Data Analysis,
 * 2013, section 3.2).
 */
public final class ShippedSpreads {
  /**
   * Times of training steps after the warm-up spread by 0.6 to 7 %, so those of units of many steps
   * by less; the total times of identical runs differ by 0.8 % in the median and by 3.4 % in one of
   * ten cases.
   */
  private static final double UNIT = 0.03;

  private static final double TRIAL = 0.02;
  private static final double INSTANCE = 0.02;

  /** Independent comparisons that the shipped spreads count as. */
  private static final double WEIGHT = 1;

  private ShippedSpreads() {}

  /** Returns a measured profile whose spreads are combined with the shipped ones. */
  public static Profile combined(Profile measured) {
    boolean ownTrials = measured.straggler().probability() > 0 || !measured.samples().isEmpty();
    return measured.withSpreads(
        cv(measured, "unit_cv", measured.unitCv(), UNIT),
        ownTrials ? measured.trialCv() : cv(measured, "trial_cv", measured.trialCv(), TRIAL),
        cv(measured, "instance_cv", measured.instanceCv(), INSTANCE));
  }

  private static double cv(Profile measured, String name, double value, double shipped) {
    double comparisons = comparisons(measured, name);
    return Math.sqrt(
        (comparisons * value * value + WEIGHT * shipped * shipped) / (comparisons + WEIGHT));
  }

  private static double comparisons(Profile measured, String name) {
    Optional<MeasuredNumber> number = measured.measured().number(name);
    return number.map(one -> Math.max(0, one.count() - 1)).orElse(0);
  }

  /** Returns the names of the spreads that were not measured, such as {@code instances}. */
  public static List<String> assumed(Profile measured) {
    return Stream.of("unit", "trial", "instance")
        .filter(name -> comparisons(measured, name + "_cv") == 0)
        .map(name -> name + "s")
        .toList();
  }
}
