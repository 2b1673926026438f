package io.elastune.core.config;

import io.elastune.core.Spread;
import io.elastune.core.config.ProfileSubsections.CountRow;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.RankCorrelation;
import io.elastune.core.profile.Straggler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The top-level section of a profile file. */
final class ProfileSection {
  private static final double LEAST_SAMPLE = 1e-6;
  private static final double MOST_SAMPLE = 1e6;

  private static final Section<CountRow> TRAINING_ROW =
      ProfileSubsections.row(
          "training", "gpus", 1, FileValueLimits.MAX_GPUS_PER_TRIAL, "GPUs per trial.");
  private static final Section<CountRow> SHARING_ROW =
      ProfileSubsections.row(
          "sharing",
          "trials_per_gpu",
          2,
          FileValueLimits.MAX_TRIALS_PER_GPU,
          "Trials that share one GPU.");

  private static final Section<Spread> SPREAD = RecordSection.of(Spread.class);

  private static final Field<Profile, String> PROGRAM =
      Field.required(
          "program",
          StringCodecs.text(),
          Profile::program,
          "Name of the training program.",
          "resnet50-cifar10");
  private static final Field<Profile, String> GPU =
      Field.required("gpu", StringCodecs.text(), Profile::gpu, "The GPU model.", "V100");
  private static final Field<Profile, String> UNIT =
      Field.required(
          "unit", StringCodecs.text(), Profile::unit, "Name of the training unit.", "epoch");
  private static final Field<Profile, MeasurementOrigin> MEASURED =
      Field.required(
          "measured",
          ProfileSubsections.MEASURED,
          Profile::measured,
          "Origin of the numbers.",
          "{at: 2026-11-20T06:00:00Z, source: run r-17, samples: 40}");
  private static final Field<Profile, List<CountRow>> TRAINING =
      Field.required(
          "training",
          ListCodecs.nonEmpty(TRAINING_ROW),
          profile -> CountRow.rows(profile.secondsByGpus()),
          "Seconds per unit of one trial by GPUs per trial. Never extrapolated.",
          "[{gpus: 1, seconds: 30.0}, {gpus: 2, seconds: 16.043}]");
  private static final Field<Profile, List<CountRow>> SHARING =
      Field.withDefault(
          "sharing",
          ListCodecs.of(SHARING_ROW),
          List.of(),
          profile -> CountRow.rows(profile.secondsBySharing()),
          "Seconds per unit of each trial when several share a GPU; measured counts only.",
          "[{trials_per_gpu: 2, seconds: 48.0}]");
  private static final Field<Profile, Spread> STARTUP =
      spread(
          "startup_s",
          Profile::startupS,
          "Seconds until a trial's first unit starts: process start, data load and restore.",
          "{mean: 10, cv: 0.2}");
  private static final Field<Profile, Boolean> STARTUP_KNOWN =
      Field.withDefault(
          "startup_known",
          ScalarCodecs.trueOrFalse(),
          true,
          Profile::startupKnown,
          "Whether startup_s is known. If not, it is 0, and the seconds per unit include the"
              + " start-up.",
          "true");
  private static final Field<Profile, Spread> CHECKPOINT =
      spread(
          "checkpoint_s",
          Profile::checkpointS,
          "Seconds to write a checkpoint and to store it.",
          "{mean: 0, cv: 0}");
  private static final Field<Profile, CheckpointMeasurement> CHECKPOINTS =
      Field.withDefault(
          "checkpoint",
          CheckpointSection.SECTION,
          CheckpointMeasurement.NONE,
          Profile::checkpoint,
          "Measured sizes and times of checkpoints. All times are part of startup_s.",
          "{size_gb: {mean: 0.2, samples: 6}, store_s: {mean: 1.5, cv: 0.1, samples: 6}}");
  private static final Field<Profile, Double> TRIAL_CV =
      cv(
          "trial_cv",
          Profile::trialCv,
          "Coefficient of variation of a whole trial's duration.",
          "0.03");
  private static final Field<Profile, Double> UNIT_CV =
      cv(
          "unit_cv",
          Profile::unitCv,
          "Coefficient of variation of a single unit's duration.",
          "0.05");
  private static final Field<Profile, Straggler> STRAGGLER =
      Field.withDefault(
          "straggler",
          ProfileSubsections.STRAGGLER,
          Straggler.NONE,
          Profile::straggler,
          "Rare trials that are much slower than the others.",
          "{probability: 0.01, slowdown: 3}");
  private static final Field<Profile, List<Double>> SAMPLES =
      Field.withDefault(
          "samples",
          ListCodecs.of(NumberCodecs.between(LEAST_SAMPLE, MOST_SAMPLE, "")),
          List.of(),
          Profile::samples,
          "Normalized trial durations; if given, they replace the log-normal distribution.",
          "[0.98, 1.01, 1.04]");
  private static final Field<Profile, Double> INSTANCE_CV =
      cv(
          "instance_cv",
          Profile::instanceCv,
          "Coefficient of variation of instance speed. A trial on several instances runs at the"
              + " speed of the slowest.",
          "0.02");
  private static final Field<Profile, Straggler> INSTANCE_STRAGGLER =
      Field.withDefault(
          "instance_straggler",
          ProfileSubsections.INSTANCE_STRAGGLER,
          Straggler.NONE,
          Profile::instanceStraggler,
          "Rare instances on which every trial is much slower.",
          "{probability: 0.02, slowdown: 2}");
  private static final Field<Profile, List<ProvisioningTimes>> PROVISIONING =
      Field.withDefault(
          "provisioning",
          ListCodecs.of(ProfileSubsections.PROVISIONING),
          List.of(),
          Profile::provisioning,
          "Measured provisioning times of offers; they replace the times in the offers.",
          "");

  private static final Field<Profile, TrialFaultRates> FAULTS =
      Field.optional(
          "faults",
          FaultRateSections.OF_PROFILE,
          "no faults",
          profile -> Optional.of(profile.faults()).filter(rates -> !rates.isNone()),
          "Rates at which its trials fail; predictions include them.",
          "{crashes: {value: 0.01, source: run history, evidence: 120}}");

  private static final Field<Profile, ConfigurationEffect> CONFIGURATIONS =
      Field.optional(
          "configurations",
          RecordSection.of(ConfigurationEffect.class),
          "no effect",
          profile -> Optional.of(profile.configurations()).filter(ConfigurationEffect::isKnown),
          "How the duration of a trial depends on its hyperparameters.",
          "");

  private static final Field<Profile, RankCorrelation> RANK_CORRELATION =
      Field.optional(
          "rank_correlation",
          RecordSection.of(RankCorrelation.class),
          "0.9, assumed",
          Profile::rankCorrelation,
          "The measured correlation between the results of a trial in two rungs.",
          "{value: 0.85, standard_error: 0.04, trials: 64}");

  static final Section<Profile> SECTION =
      Section.<Profile>of(
              "",
              "The measurements of one training program on one GPU model.",
              List.of(
                  PROGRAM,
                  GPU,
                  UNIT,
                  MEASURED,
                  TRAINING,
                  SHARING,
                  STARTUP,
                  STARTUP_KNOWN,
                  CHECKPOINT,
                  CHECKPOINTS,
                  TRIAL_CV,
                  UNIT_CV,
                  STRAGGLER,
                  SAMPLES,
                  INSTANCE_CV,
                  INSTANCE_STRAGGLER,
                  PROVISIONING,
                  FAULTS,
                  CONFIGURATIONS,
                  RANK_CORRELATION),
              ProfileSection::build)
          .withValidation(ProfileSection::check);

  private ProfileSection() {}

  private static Field<Profile, Spread> spread(
      String name, Function<Profile, Spread> getter, String doc, String example) {
    return Field.withDefault(name, SPREAD, Spread.NONE, getter, doc, example);
  }

  private static Field<Profile, Double> cv(
      String name, Function<Profile, Double> getter, String doc, String example) {
    return Field.withDefault(name, FileValueLimits.cv(), 0.0, getter, doc, example);
  }

  private static void check(FieldValues fieldValues) {
    checkDistinct(fieldValues, TRAINING, TRAINING_ROW);
    checkDistinct(fieldValues, SHARING, SHARING_ROW);
    Map<String, String> seen = new HashMap<>();
    for (FieldValues.ValuePart<ProvisioningTimes> valuePart :
        fieldValues.parts(PROVISIONING, ProfileSubsections.PROVISIONING)) {
      if (seen.put(valuePart.value().offer(), valuePart.name()) != null) {
        fieldValues.problem(
            valuePart, "the offer " + valuePart.value().offer() + " is given twice", "");
      }
    }
  }

  private static void checkDistinct(
      FieldValues fieldValues, Field<?, ?> field, Codec<CountRow> codec) {
    Map<Integer, Integer> seen = new HashMap<>();
    for (FieldValues.ValuePart<CountRow> valuePart : fieldValues.parts(field, codec)) {
      int count = valuePart.value().count();
      Integer first = seen.putIfAbsent(count, valuePart.node().place().line());
      if (first != null) {
        fieldValues.problem(valuePart, count + " is given twice, first on line " + first, "");
      }
    }
  }

  private static Profile build(FieldValues fieldValues) {
    return new Profile(
        fieldValues.get(PROGRAM),
        fieldValues.get(GPU),
        fieldValues.get(UNIT),
        fieldValues.get(MEASURED),
        CountRow.table(fieldValues.get(TRAINING)),
        CountRow.table(fieldValues.get(SHARING)),
        fieldValues.get(STARTUP),
        fieldValues.get(CHECKPOINT),
        fieldValues.get(TRIAL_CV),
        fieldValues.get(UNIT_CV),
        fieldValues.get(STRAGGLER),
        fieldValues.get(SAMPLES),
        fieldValues.get(INSTANCE_CV),
        fieldValues.get(INSTANCE_STRAGGLER),
        fieldValues.get(PROVISIONING),
        fieldValues.get(STARTUP_KNOWN),
        fieldValues.get(CHECKPOINTS),
        fieldValues.find(FAULTS).orElse(TrialFaultRates.NONE),
        fieldValues.find(CONFIGURATIONS).orElse(ConfigurationEffect.NONE),
        fieldValues.find(RANK_CORRELATION));
  }
}
