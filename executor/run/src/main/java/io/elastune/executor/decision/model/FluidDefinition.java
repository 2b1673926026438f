package io.elastune.executor.decision.model;

import io.elastune.core.plan.TrialFactors;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * How Fluid divides the instances of a run among its trials (docs/searches.md, "Fluid").
 *
 * @param times the measured time of a unit with each width that the rule allows
 * @param startupS mean seconds until the first unit of an attempt starts
 * @param checkpointS mean seconds to write a checkpoint
 * @param factors by trial number: the seconds per unit that the profile expects with its
 *     hyperparameters, relative to the mean of all trials; empty if it does not say
 */
public record FluidDefinition(
    FluidRule rule,
    List<WidthTime> times,
    double startupS,
    double checkpointS,
    List<Double> factors)
    implements WidthSeconds {
  /**
   * The time of a unit with a width.
   *
   * @param unitS mean seconds per unit
   */
  public record WidthTime(Width width, double unitS) {}

  public FluidDefinition {
    times = List.copyOf(times);
    factors = List.copyOf(factors);
  }

  /**
   * Returns the definition for the training program of a profile.
   *
   * @param factors {@link TrialFactors#all}
   */
  public static FluidDefinition of(
      FluidRule rule, Profile profile, WidthSeconds seconds, List<Double> factors) {
    List<WidthTime> times = new ArrayList<>();
    for (Width width : widths(rule)) {
      times.add(new WidthTime(width, seconds.perUnit(width)));
    }
    return new FluidDefinition(
        rule, times, profile.startupS().mean(), profile.checkpointS().mean(), factors);
  }

  private static List<Width> widths(FluidRule rule) {
    List<Width> widths = new ArrayList<>();
    if (rule.share() > 1) {
      widths.add(Width.shared(rule.share()));
    }
    rule.sizes().forEach(size -> widths.add(Width.of(size)));
    return widths;
  }

  /**
   * Returns the expected seconds per unit of a trial that has not reported, relative to the mean of
   * all trials.
   */
  public double factor(int trial) {
    return trial <= factors.size() ? factors.get(trial - 1) : 1;
  }

  /** Returns the mean seconds per unit with the slowest width. */
  public double slowestUnitS() {
    return slowestUnitS(times);
  }

  static double slowestUnitS(List<WidthTime> times) {
    return times.stream().mapToDouble(WidthTime::unitS).max().orElseThrow();
  }

  @Override
  public double perUnit(Width width) {
    return perUnit(times, width);
  }

  static double perUnit(List<WidthTime> times, Width width) {
    return times.stream()
        .filter(time -> time.width().equals(width))
        .mapToDouble(WidthTime::unitS)
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no time of a unit for width " + width));
  }
}
