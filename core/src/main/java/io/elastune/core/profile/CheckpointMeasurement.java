package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import java.util.Optional;

/**
 * What was measured of a trial's checkpoints; empty values were not measured. All times are part of
 * the start-up time of a profile.
 *
 * @param sizeGb size in GB
 * @param saveS seconds in which the trial writes one; empty if it cannot be distinguished from
 *     training
 * @param storeS seconds from the instance to the store; empty if nothing is copied
 * @param restoreS seconds from the store to the instance; empty if nothing is copied
 */
public record CheckpointMeasurement(
    Optional<Sampled> sizeGb,
    Optional<Sampled> saveS,
    Optional<Sampled> storeS,
    Optional<Sampled> restoreS) {
  /** Nothing was measured. */
  public static final CheckpointMeasurement NONE =
      new CheckpointMeasurement(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * A measured value.
   *
   * @param mean mean of the samples
   * @param cv their coefficient of variation
   * @param samples the number of samples
   */
  public record Sampled(double mean, double cv, int samples) {
    public Sampled {
      Preconditions.notNegative("mean", mean);
      Preconditions.notNegative("cv", cv);
      Preconditions.atLeast("samples", 1, samples);
    }
  }

  /** Returns the time in which a trial writes a checkpoint and it is stored, as far as measured. */
  public Spread writeS() {
    double mean = saveS.map(Sampled::mean).orElse(0.0) + storeS.map(Sampled::mean).orElse(0.0);
    double deviation = Math.hypot(deviation(saveS), deviation(storeS));
    return mean > 0 ? new Spread(mean, deviation / mean) : Spread.NONE;
  }

  private static double deviation(Optional<Sampled> sampled) {
    return sampled.map(value -> value.mean() * value.cv()).orElse(0.0);
  }
}
