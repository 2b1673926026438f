package io.elastune.executor.decision.model;

import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.FluidDefinition.WidthTime;
import java.util.List;

/**
 * How HyperSched divides the instances of a run among its trials (docs/searches.md, "HyperSched").
 *
 * @param times the measured time of a unit with each number of GPUs that the rule allows
 * @param startupS mean seconds until the first unit of an attempt starts
 * @param checkpointS mean seconds to write a checkpoint
 * @param timing the times of the profile on which decisions depend; without the time that is left
 */
public record HyperSchedDefinition(
    HyperSchedRule rule,
    List<WidthTime> times,
    double startupS,
    double checkpointS,
    PolicyView.Timing timing)
    implements WidthSeconds {
  public HyperSchedDefinition {
    times = List.copyOf(times);
  }

  /** Returns the definition for the training program of a profile. */
  public static HyperSchedDefinition of(
      HyperSchedRule rule, Profile profile, WidthSeconds seconds, PolicyView.Timing timing) {
    List<WidthTime> times =
        rule.sizes().stream()
            .map(Width::of)
            .map(width -> new WidthTime(width, seconds.perUnit(width)))
            .toList();
    return new HyperSchedDefinition(
        rule, times, profile.startupS().mean(), profile.checkpointS().mean(), timing);
  }

  /** Returns the mean seconds per unit with the slowest number of GPUs. */
  public double slowestUnitS() {
    return FluidDefinition.slowestUnitS(times);
  }

  @Override
  public double perUnit(Width width) {
    return FluidDefinition.perUnit(times, width);
  }
}
