package io.elastune.inputs;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What a user knows about a training program.
 *
 * @param unitTimes the time per unit on one GPU, for each GPU model
 * @param speedups the speed-up over one GPU by GPUs per trial; other counts are not planned
 * @param startupS seconds of a trial's start-up; empty if the unit times include it
 * @param trialCv coefficient of variation of a trial's duration
 * @param ratios convert the times to other GPU models
 */
public record AssumedTraining(
    List<UnitTime> unitTimes,
    NavigableMap<Integer, Double> speedups,
    OptionalDouble startupS,
    double trialCv,
    GpuRatios ratios) {
  public AssumedTraining {
    unitTimes = List.copyOf(unitTimes);
    speedups = new TreeMap<>(speedups);
  }

  /** Returns the GPU models with a time of their own. */
  public List<String> gpus() {
    return unitTimes.stream().map(UnitTime::gpu).toList();
  }

  /** Returns the ratio by which the time on {@code gpu} is converted; empty if it is given. */
  public Optional<GpuRatios.Ratio> conversion(String gpu) {
    return given(gpu).isPresent() ? Optional.empty() : ratios.to(gpu, gpus());
  }

  /**
   * Returns the profile for a GPU model; empty if neither its unit time nor a published ratio to
   * one of the given models is known.
   */
  public Optional<Profile> profile(String program, String unit, String gpu, Instant now) {
    return unitS(gpu).map(seconds -> profile(program, unit, gpu, seconds, now));
  }

  private Optional<Double> unitS(String gpu) {
    return given(gpu)
        .or(
            () ->
                conversion(gpu)
                    .flatMap(ratio -> given(ratio.from()).map(known -> known / ratio.mean())));
  }

  private Optional<Double> given(String gpu) {
    return unitTimes.stream()
        .filter(time -> time.gpu().equalsIgnoreCase(gpu))
        .map(UnitTime::seconds)
        .findFirst();
  }

  private Profile profile(String program, String unit, String gpu, double seconds, Instant now) {
    TreeMap<Integer, Double> byGpus = new TreeMap<>();
    byGpus.put(1, seconds);
    speedups.forEach((gpus, speedup) -> byGpus.put(gpus, seconds / speedup));
    return Profile.builder(
            program, gpu, unit, new MeasurementOrigin(now, MeasurementOrigin.ASSUMED, 0), byGpus)
        .startupS(Spread.exactly(startupS.orElse(0)))
        .trialCv(trialCv)
        .startupKnown(startupS.isPresent())
        .build();
  }
}
