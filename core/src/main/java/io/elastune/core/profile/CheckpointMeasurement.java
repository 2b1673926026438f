package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Optional;

/**
 * What was measured of a trial's checkpoints; empty values were not measured. All times are part of
 * the start-up time of a profile.
 */
@FileSection(
    title = "checkpoint",
    doc = "Measured sizes and times of checkpoints. All times are part of `startup_s`.")
public record CheckpointMeasurement(
    @FileField(
            doc = "Size of a checkpoint in GB.",
            without = "not measured",
            example = CheckpointMeasurement.SAMPLED)
        Optional<Sampled> sizeGb,
    @FileField(
            doc =
                "Seconds in which a trial writes a checkpoint, if they differ from those of a"
                    + " unit.",
            without = "not measured",
            example = CheckpointMeasurement.SAMPLED)
        Optional<Sampled> saveS,
    @FileField(
            doc = "Seconds in which a checkpoint is copied from an instance to the store.",
            without = "not measured",
            example = CheckpointMeasurement.SAMPLED)
        Optional<Sampled> storeS,
    @FileField(
            doc = "Seconds in which a checkpoint is copied from the store to an instance.",
            without = "not measured",
            example = CheckpointMeasurement.SAMPLED)
        Optional<Sampled> restoreS) {
  static final String SAMPLED = "{mean: 1.5, cv: 0.1, samples: 6}";

  /** Nothing was measured. */
  public static final CheckpointMeasurement NONE =
      new CheckpointMeasurement(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** A measured value. */
  public record Sampled(
      @FileField(doc = "Mean of the samples.", example = "1.5") double mean,
      @FileField(
              doc = "Coefficient of variation: standard deviation divided by the mean.",
              absent = "0",
              example = "0.1")
          @Bounds(least = 0, most = Bounds.MOST_CV)
          double cv,
      @FileField(doc = "Number of samples.", example = "6") @Bounds(least = 1) int samples) {
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
