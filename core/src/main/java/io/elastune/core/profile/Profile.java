package io.elastune.core.profile;

import io.elastune.core.Check;
import io.elastune.core.Spread;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What was measured of one training program on one GPU model.
 *
 * @param program the training program's name
 * @param gpu the GPU model
 * @param unit what one unit is, e.g. {@code epoch}
 * @param measured when, by what, from how many samples
 * @param secondsByGpus seconds per unit of one trial by its GPUs; measured counts only
 * @param secondsBySharing each trial's seconds per unit by trials that share a GPU (2 or more)
 * @param startupS seconds until the first unit begins: process start, data load, restore
 * @param checkpointS seconds that writing a checkpoint takes
 * @param trialCv spread of a whole trial's speed
 * @param unitCv spread of single units
 * @param straggler rare, much slower trials
 * @param samples normalised trial durations, used instead of the log-normal when there are any
 * @param instanceCv spread of whole instances' speed: all trials on one are slower or faster
 * @param instanceStraggler rare instances on which every trial is much slower
 * @param provisioning measured overhead of the offers that the measurement used
 */
public record Profile(
    String program,
    String gpu,
    String unit,
    Measured measured,
    NavigableMap<Integer, Double> secondsByGpus,
    NavigableMap<Integer, Double> secondsBySharing,
    Spread startupS,
    Spread checkpointS,
    double trialCv,
    double unitCv,
    Straggler straggler,
    List<Double> samples,
    double instanceCv,
    Straggler instanceStraggler,
    List<Provisioning> provisioning) {
  public Profile {
    Check.text("program", program);
    Check.text("gpu", gpu);
    Check.text("unit", unit);
    Check.that(!secondsByGpus.isEmpty(), "training must hold at least one measured GPU count");
    secondsByGpus = checked("training.gpus", 1, secondsByGpus);
    secondsBySharing = checked("sharing.trials_per_gpu", 2, secondsBySharing);
    Check.notNegative("trial_cv", trialCv);
    Check.notNegative("unit_cv", unitCv);
    samples = List.copyOf(samples);
    samples.forEach(sample -> Check.positive("samples", sample));
    Check.notNegative("instance_cv", instanceCv);
    provisioning = List.copyOf(provisioning);
  }

  private static NavigableMap<Integer, Double> checked(
      String field, int least, Map<Integer, Double> table) {
    table.forEach(
        (count, seconds) -> {
          Check.atLeast(field, least, count);
          Check.positive("seconds", seconds);
        });
    return Collections.unmodifiableNavigableMap(new TreeMap<>(table));
  }

  /** The same profile with another start-up time. */
  public Profile withStartup(Spread otherStartupS) {
    return new Profile(
        program,
        gpu,
        unit,
        measured,
        secondsByGpus,
        secondsBySharing,
        otherStartupS,
        checkpointS,
        trialCv,
        unitCv,
        straggler,
        samples,
        instanceCv,
        instanceStraggler,
        provisioning);
  }

  /** The same profile of a program of which every unit takes {@code factor} times as long. */
  public Profile slowed(double factor) {
    Check.positive("factor", factor);
    return new Profile(
        program,
        gpu,
        unit,
        measured,
        slowed(secondsByGpus, factor),
        slowed(secondsBySharing, factor),
        startupS,
        checkpointS,
        trialCv,
        unitCv,
        straggler,
        samples,
        instanceCv,
        instanceStraggler,
        provisioning);
  }

  private static NavigableMap<Integer, Double> slowed(
      NavigableMap<Integer, Double> table, double factor) {
    NavigableMap<Integer, Double> slowed = new TreeMap<>(table);
    slowed.replaceAll((count, seconds) -> seconds * factor);
    return slowed;
  }

  /** The same profile with every trial's and every instance's speed at its mean. */
  public Profile withoutStragglers() {
    return new Profile(
        program,
        gpu,
        unit,
        measured,
        secondsByGpus,
        secondsBySharing,
        startupS,
        checkpointS,
        0,
        0,
        Straggler.NONE,
        List.of(),
        0,
        Straggler.NONE,
        provisioning);
  }

  /**
   * Seconds per unit at {@code gpus} GPUs per trial: between two measured counts throughput is
   * interpolated linearly; outside the measured counts there is no answer, for we never
   * extrapolate.
   */
  public OptionalDouble secondsPerUnit(int gpus) {
    Map.Entry<Integer, Double> below = secondsByGpus.floorEntry(gpus);
    Map.Entry<Integer, Double> above = secondsByGpus.ceilingEntry(gpus);
    if (below == null || above == null) {
      return OptionalDouble.empty();
    }
    if (below.getKey().equals(above.getKey())) {
      return OptionalDouble.of(below.getValue());
    }
    double share = (double) (gpus - below.getKey()) / (above.getKey() - below.getKey());
    double throughput = (1 - share) / below.getValue() + share / above.getValue();
    return OptionalDouble.of(1 / throughput);
  }

  /**
   * Seconds per unit of a trial with {@code gpusPerTrial} GPUs, or of each of several that share
   * one, as {@link #secondsPerUnit(int)} and {@link #secondsPerUnitSharing} say.
   */
  public OptionalDouble secondsPerUnit(int gpusPerTrial, int trialsPerGpu) {
    return trialsPerGpu > 1 ? secondsPerUnitSharing(trialsPerGpu) : secondsPerUnit(gpusPerTrial);
  }

  /**
   * Seconds per unit of each of {@code trialsPerGpu} trials on one GPU; measured counts only. One
   * trial per GPU is the measurement at one GPU per trial.
   */
  public OptionalDouble secondsPerUnitSharing(int trialsPerGpu) {
    Double seconds = trialsPerGpu == 1 ? secondsByGpus.get(1) : secondsBySharing.get(trialsPerGpu);
    return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }
}
