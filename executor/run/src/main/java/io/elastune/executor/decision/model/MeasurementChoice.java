package io.elastune.executor.decision.model;

import io.elastune.core.Preconditions;
import io.elastune.core.plan.Allocation;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The response to {@link Command.ChooseMeasurement}: what a profiling run measures next.
 *
 * @param next the allocation of the next group; empty if nothing more is worth its cost
 * @param inSeconds whether {@code gain} and {@code cost} are seconds, because the plan is to be
 *     fast; otherwise they are USD
 * @param gain by how much the best remaining measurement is expected to improve the plan
 * @param gainShare the same as a fraction of the present plan
 * @param cost what that measurement is expected to take
 * @param error the relative standard error of the predicted time, if the measurement is made only
 *     because of it; empty in older journals
 * @param leftS the seconds that all such measurements may take from now on; empty without {@code
 *     error} and in older journals
 */
public record MeasurementChoice(
    Optional<Allocation> next,
    boolean inSeconds,
    double gain,
    double gainShare,
    double cost,
    OptionalDouble error,
    OptionalDouble leftS) {
  /** The limits of the run allow no further measurement. */
  public static final MeasurementChoice NONE =
      new MeasurementChoice(Optional.empty(), false, 0, 0, 0);

  public MeasurementChoice {
    Preconditions.notNegative("gain", gain);
    Preconditions.notNegative("gainShare", gainShare);
    Preconditions.notNegative("cost", cost);
  }

  /** Creates a choice by the gain of a measurement. */
  public MeasurementChoice(
      Optional<Allocation> next, boolean inSeconds, double gain, double gainShare, double cost) {
    this(next, inSeconds, gain, gainShare, cost, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /**
   * Returns a choice of a measurement that only makes the prediction more accurate.
   *
   * @param relativeError the relative standard error of the predicted time so far
   * @param mostS the seconds that this measurement and all further ones of this kind may take
   */
  public MeasurementChoice forAccuracy(Allocation allocation, double relativeError, double mostS) {
    return new MeasurementChoice(
        Optional.of(allocation),
        inSeconds,
        gain,
        gainShare,
        cost,
        OptionalDouble.of(relativeError),
        OptionalDouble.of(mostS));
  }
}
