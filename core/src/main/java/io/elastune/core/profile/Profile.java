package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The measurements of one training program on one GPU model.
 *
 * @param secondsByGpus seconds per unit of one trial by GPUs per trial; measured counts only
 * @param secondsBySharing seconds per unit of each trial by trials per GPU (2 or more)
 * @param startupKnown whether the start-up time is known; otherwise it is 0, and the seconds per
 *     unit include the start-up
 * @param samples normalized trial durations; if not empty, they replace the log-normal distribution
 */
@FileSection(title = "", doc = "The measurements of one training program on one GPU model.")
@RecordBuilder
public record Profile(
    @FileField(doc = "Name of the training program.", example = "resnet50-cifar10") String program,
    @FileField(doc = "The GPU model.", example = "V100") String gpu,
    @FileField(doc = "Name of the training unit.", example = "epoch") String unit,
    @FileField(
            doc = "Origin of the numbers.",
            example = "{at: 2026-11-20T06:00:00Z, source: run r-17, samples: 40}")
        MeasurementOrigin measured,
    @FileField(
            name = "training",
            doc = "Seconds per unit of one trial by GPUs per trial. Never extrapolated.",
            example = "[{gpus: 1, seconds: 30.0}, {gpus: 2, seconds: 16.043}]")
        NavigableMap<Integer, Double> secondsByGpus,
    @FileField(
            name = "sharing",
            doc = "Seconds per unit of each trial when several share a GPU; measured counts only.",
            absent = "[]",
            example = "[{trials_per_gpu: 2, seconds: 48.0}]")
        NavigableMap<Integer, Double> secondsBySharing,
    @FileField(
            doc =
                "Seconds until a trial's first unit starts: process start, data load and restore.",
            absent = "{mean: 0, cv: 0}",
            example = "{mean: 10, cv: 0.2}")
        Spread startupS,
    @FileField(
            doc =
                "Whether startup_s is known. If not, it is 0, and the seconds per unit include the"
                    + " start-up.",
            absent = "true",
            example = "true")
        boolean startupKnown,
    @FileField(
            doc = "Seconds to write a checkpoint and to store it.",
            absent = "{mean: 0, cv: 0}",
            example = "{mean: 0, cv: 0}")
        Spread checkpointS,
    @FileField(
            doc = "Measured sizes and times of checkpoints. All times are part of startup_s.",
            example =
                "{size_gb: {mean: 0.2, samples: 6}, store_s: {mean: 1.5, cv: 0.1, samples: 6}}")
        CheckpointMeasurement checkpoint,
    @FileField(
            doc = "Coefficient of variation of a whole trial's duration.",
            absent = "0",
            example = "0.03")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double trialCv,
    @FileField(
            doc = "Coefficient of variation of a single unit's duration.",
            absent = "0",
            example = "0.05")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double unitCv,
    @FileField(
            doc = "Rare trials that are much slower than the others.",
            example = "{probability: 0.01, slowdown: 3}")
        Straggler straggler,
    @FileField(
            doc = "Normalized trial durations; if given, they replace the log-normal distribution.",
            absent = "[]",
            example = "[0.98, 1.01, 1.04]")
        @Bounds(least = 1e-6, most = 1e6)
        List<Double> samples,
    @FileField(
            doc =
                "Coefficient of variation of instance speed. A trial on several instances runs at"
                    + " the speed of the slowest.",
            absent = "0",
            example = "0.02")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double instanceCv,
    @FileField(
            doc = "Rare instances on which every trial is much slower.",
            example = "{probability: 0.02, slowdown: 2}")
        Straggler instanceStraggler,
    @FileField(
            doc =
                "Coefficient of variation of the speed of a whole run; on `local`, other programs"
                    + " slow all its trials.",
            absent = "0",
            example = "0.03")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double runCv,
    @FileField(
            doc = "Measured provisioning times of offers; they replace the times in the offers.",
            absent = "[]",
            example = "")
        List<ProvisioningTimes> provisioning,
    @FileField(
            doc = "Rates at which its trials fail; predictions include them.",
            without = "no faults",
            example = "{crashes: {value: 0.01, source: run history, evidence: 120}}")
        TrialFaultRates faults,
    @FileField(
            doc = "How the duration of a trial depends on its hyperparameters.",
            without = "no effect",
            example = "")
        ConfigurationEffect configurations,
    @FileField(
            doc = "The measured correlation between the results of a trial in two rungs.",
            without = "0.9, assumed",
            example = "{value: 0.85, standard_error: 0.04, trials: 64}")
        Optional<RankCorrelation> rankCorrelation,
    @FileField(
            doc =
                "Peak memory of a worker with its child processes, the highest measured. On `local`,"
                    + " it limits how many run at once.",
            without = "unknown, no limit",
            example = "3.1")
        @Bounds(above0 = true, most = Profile.MOST_MEMORY_GB, unit = "GB")
        OptionalDouble memoryGb,
    @FileField(
            doc =
                "On `local`: the load of other programs while it was measured, for which"
                    + " predictions hold.",
            without = "no load",
            example = "{cores: 2, other_cores: 1.5, trial_cores: 2}")
        Optional<MachineLoad> load) {
  /** More than any machine has. */
  static final double MOST_MEMORY_GB = 1e6;

  public Profile {
    Preconditions.text("program", program);
    Preconditions.text("gpu", gpu);
    Preconditions.text("unit", unit);
    Preconditions.that(
        !secondsByGpus.isEmpty(), "training must contain at least one measured GPU count");
    secondsByGpus = checked("training.gpus", 1, secondsByGpus);
    secondsBySharing = checked("sharing.trials_per_gpu", 2, secondsBySharing);
    Preconditions.notNegative("trial_cv", trialCv);
    Preconditions.notNegative("unit_cv", unitCv);
    samples = List.copyOf(samples);
    samples.forEach(sample -> Preconditions.positive("samples", sample));
    Preconditions.notNegative("instance_cv", instanceCv);
    Preconditions.notNegative("run_cv", runCv);
    memoryGb.ifPresent(gb -> Preconditions.positive("memory_gb", gb));
    provisioning = List.copyOf(provisioning);
  }

  /**
   * Returns a builder of a profile without anything but these measurements: without spread,
   * start-up and faults.
   */
  public static ProfileBuilder builder(
      String program,
      String gpu,
      String unit,
      MeasurementOrigin measured,
      NavigableMap<Integer, Double> secondsByGpus) {
    return ProfileBuilder.builder()
        .program(program)
        .gpu(gpu)
        .unit(unit)
        .measured(measured)
        .secondsByGpus(secondsByGpus)
        .secondsBySharing(Collections.emptyNavigableMap())
        .startupS(Spread.NONE)
        .startupKnown(true)
        .checkpointS(Spread.NONE)
        .checkpoint(CheckpointMeasurement.NONE)
        .straggler(Straggler.NONE)
        .samples(List.of())
        .instanceStraggler(Straggler.NONE)
        .provisioning(List.of())
        .faults(TrialFaultRates.NONE)
        .configurations(ConfigurationEffect.NONE);
  }

  /** Returns this profile with other fault rates. */
  public Profile withFaults(TrialFaultRates other) {
    return ProfileBuilder.builder(this).faults(other).build();
  }

  private static NavigableMap<Integer, Double> checked(
      String field, int least, Map<Integer, Double> table) {
    table.forEach(
        (count, seconds) -> {
          Preconditions.atLeast(field, least, count);
          Preconditions.positive("seconds", seconds);
        });
    return Collections.unmodifiableNavigableMap(new TreeMap<>(table));
  }

  /** Returns this profile with what was measured of its checkpoints. */
  public Profile withCheckpoint(CheckpointMeasurement measurement) {
    return ProfileBuilder.builder(this)
        .checkpointS(measurement.writeS())
        .checkpoint(measurement)
        .build();
  }

  /** Returns this profile with another start-up time. */
  public Profile withStartup(Spread otherStartupS) {
    return ProfileBuilder.builder(this).startupS(otherStartupS).build();
  }

  /** Returns this profile with another effect of hyperparameters. */
  public Profile withConfigurations(ConfigurationEffect effect) {
    return ProfileBuilder.builder(this).configurations(effect).build();
  }

  /** Returns this profile with another correlation of the results in two rungs. */
  public Profile withRankCorrelation(Optional<RankCorrelation> other) {
    return ProfileBuilder.builder(this).rankCorrelation(other).build();
  }

  /**
   * Returns this profile for a job whose trials have these hyperparameters, in order of trial
   * number. The seconds per unit become those of the mean of these trials.
   */
  public Profile forTrials(List<Map<String, Object>> trials) {
    if (!configurations.isKnown() || !samples.isEmpty() || trials.isEmpty()) {
      return this;
    }
    double[] factors = trials.stream().mapToDouble(configurations::factor).toArray();
    double mean = Arrays.stream(factors).average().orElseThrow();
    List<Double> relative = Arrays.stream(factors).map(factor -> factor / mean).boxed().toList();
    return withSlowdown(mean).withConfigurations(configurations.withFactors(relative));
  }

  /** Returns this profile with other provisioning times. */
  public Profile withProvisioning(List<ProvisioningTimes> others) {
    return ProfileBuilder.builder(this).provisioning(others).build();
  }

  /** Returns this profile with another spread of whole runs. */
  public Profile withRunCv(double other) {
    return ProfileBuilder.builder(this).runCv(other).build();
  }

  /** Returns this profile with another peak memory of a worker. */
  public Profile withMemoryGb(OptionalDouble other) {
    return ProfileBuilder.builder(this).memoryGb(other).build();
  }

  /** Returns this profile with another load of other programs. */
  public Profile withLoad(Optional<MachineLoad> other) {
    return ProfileBuilder.builder(this).load(other).build();
  }

  /** Returns this profile for another GPU model. */
  public Profile onGpu(String other) {
    return ProfileBuilder.builder(this).gpu(other).build();
  }

  /** Returns this profile with another origin. */
  public Profile withOrigin(MeasurementOrigin origin) {
    return ProfileBuilder.builder(this).measured(origin).build();
  }

  /** Returns this profile with other seconds per unit by GPUs per trial. */
  public Profile withTraining(NavigableMap<Integer, Double> otherSecondsByGpus) {
    return ProfileBuilder.builder(this).secondsByGpus(otherSecondsByGpus).build();
  }

  /** Returns this profile with other seconds per unit by trials per GPU. */
  public Profile withSharing(NavigableMap<Integer, Double> otherSecondsBySharing) {
    return ProfileBuilder.builder(this).secondsBySharing(otherSecondsBySharing).build();
  }

  /** Returns this profile with all unit durations multiplied by {@code factor}. */
  public Profile withSlowdown(double factor) {
    Preconditions.positive("factor", factor);
    return ProfileBuilder.builder(this)
        .secondsByGpus(withSlowdown(secondsByGpus, factor))
        .secondsBySharing(withSlowdown(secondsBySharing, factor))
        .build();
  }

  /** Returns this profile with start-ups that are longer by {@code shiftS} seconds. */
  public Profile withStartupShift(double shiftS) {
    double mean = Math.max(0, startupS.mean() + shiftS);
    double deviation = startupS.mean() * startupS.cv();
    return ProfileBuilder.builder(this)
        .startupS(new Spread(mean, mean > 0 ? deviation / mean : 0))
        .startupKnown(true)
        .build();
  }

  private static NavigableMap<Integer, Double> withSlowdown(
      NavigableMap<Integer, Double> table, double factor) {
    NavigableMap<Integer, Double> slowed = new TreeMap<>(table);
    slowed.replaceAll((count, seconds) -> seconds * factor);
    return slowed;
  }

  /** Returns this profile with other coefficients of variation. */
  public Profile withSpreads(double units, double trials, double instances) {
    return ProfileBuilder.builder(this).unitCv(units).trialCv(trials).instanceCv(instances).build();
  }

  /** Returns this profile without random variation of the speed of trials and instances. */
  public Profile withoutStragglers() {
    return ProfileBuilder.builder(this)
        .trialCv(0)
        .unitCv(0)
        .straggler(Straggler.NONE)
        .samples(List.of())
        .instanceCv(0)
        .instanceStraggler(Straggler.NONE)
        .runCv(0)
        .configurations(ConfigurationEffect.NONE)
        .build();
  }

  /**
   * Returns the seconds per unit at {@code gpus} GPUs per trial. Between two measured counts,
   * throughput is interpolated linearly. Outside the measured range the result is empty: there is
   * no extrapolation.
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
   * Returns the seconds per unit of a trial with {@code gpusPerTrial} GPUs, or of each of several
   * trials that share a GPU. See {@link #secondsPerUnit(int)} and {@link #secondsPerUnitSharing}.
   */
  public OptionalDouble secondsPerUnit(int gpusPerTrial, int trialsPerGpu) {
    return trialsPerGpu > 1 ? secondsPerUnitSharing(trialsPerGpu) : secondsPerUnit(gpusPerTrial);
  }

  /**
   * Returns the seconds per unit of each of {@code trialsPerGpu} trials on one GPU; measured counts
   * only. For one trial per GPU, this is the measurement at one GPU per trial.
   */
  public OptionalDouble secondsPerUnitSharing(int trialsPerGpu) {
    Double seconds = trialsPerGpu == 1 ? secondsByGpus.get(1) : secondsBySharing.get(trialsPerGpu);
    return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }
}
