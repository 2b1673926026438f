package io.elastune.profiler;

import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.executor.journal.AttemptRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A profile, with the accuracy of its unit times. */
public record MeasuredProfile(Profile profile, List<SizeAccuracy> sizes) {
  /**
   * The accuracy of the unit time of trials of one size.
   *
   * @param gpus the trials' GPUs
   * @param trials measured trials
   * @param units measured units
   * @param standardErrorS standard error of the seconds per unit, as far as the measured spread of
   *     units and trials shows it
   */
  public record SizeAccuracy(int gpus, int trials, int units, double standardErrorS) {}

  public MeasuredProfile {
    sizes = List.copyOf(sizes);
  }

  /** Returns this profile with modeled times of those of {@code counts} that were not measured. */
  MeasuredProfile withModeled(List<Integer> counts) {
    ScalingLaw law = ScalingLaw.of(profile.secondsByGpus(), MeasurementChooser.errors(profile));
    List<MeasuredNumber> numbers = new ArrayList<>(profile.measured().numbers());
    counts.stream()
        .filter(gpus -> !law.isMeasured(gpus))
        .forEach(gpus -> numbers.add(law.modeled(gpus)));
    return new MeasuredProfile(profile.withOrigin(profile.measured().withNumbers(numbers)), sizes);
  }

  /**
   * Returns this profile with the load of the machine, and as uncertain as it makes it.
   *
   * @param offer the offer on which it was measured
   */
  MeasuredProfile onSharedMachine(SharedMachine machine, List<AttemptRow> attempts, Offer offer) {
    List<MeasuredNumber> numbers = machine.uncertain(profile.measured().numbers(), attempts);
    return new MeasuredProfile(
        profile
            .withOrigin(profile.measured().withNumbers(numbers))
            .withRunCv(machine.runCv())
            .withLoad(machine.load(attempts, TrialsAtOnce.coresOfGpu(offer))),
        sizes.stream().map(size -> uncertain(size, machine, attempts)).toList());
  }

  private SizeAccuracy uncertain(
      SizeAccuracy size, SharedMachine machine, List<AttemptRow> attempts) {
    double unitS = profile.secondsByGpus().getOrDefault(size.gpus(), 0.0);
    return size.standardErrorS() > 0
        ? new SizeAccuracy(
            size.gpus(),
            size.trials(),
            size.units(),
            machine.uncertain(unitS, size.standardErrorS(), attempts))
        : size;
  }

  /** Returns this profile with the trials of the job among which the measured ones are. */
  MeasuredProfile withTrials(List<Map<String, Object>> trials) {
    List<MeasuredNumber> numbers = KnownTrials.named(profile.measured().numbers(), trials);
    return new MeasuredProfile(profile.withOrigin(profile.measured().withNumbers(numbers)), sizes);
  }

  MeasuredProfile withConfigurations(ConfigurationEffect effect) {
    return new MeasuredProfile(profile.withConfigurations(effect), sizes);
  }

  MeasuredProfile withMemoryGb(OptionalDouble workerGb) {
    return new MeasuredProfile(profile.withMemoryGb(workerGb), sizes);
  }

  MeasuredProfile withCheckpoint(CheckpointMeasurement checkpoint) {
    return new MeasuredProfile(profile.withCheckpoint(checkpoint), sizes);
  }
}
