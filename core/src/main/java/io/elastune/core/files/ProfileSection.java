package io.elastune.core.files;

import io.elastune.core.Spread;
import io.elastune.core.files.ProfileParts.Row;
import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.profile.Measured;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Provisioning;
import io.elastune.core.profile.Straggler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The top-level section of a profile file. */
final class ProfileSection {
  private static final double LEAST_SAMPLE = 1e-6;
  private static final double MOST_SAMPLE = 1e6;

  private static final Section<Row> TRAINING_ROW =
      ProfileParts.row("training", "gpus", 1, Bounds.MOST_GPUS_PER_TRIAL, "GPUs per trial.");
  private static final Section<Row> SHARING_ROW =
      ProfileParts.row(
          "sharing", "trials_per_gpu", 2, Bounds.MOST_TRIALS_PER_GPU, "Trials that share one GPU.");

  private static final Field<Profile, String> PROGRAM =
      Field.required(
          "program",
          Texts.text(),
          Profile::program,
          "Name of the training program.",
          "resnet50-cifar10");
  private static final Field<Profile, String> GPU =
      Field.required("gpu", Texts.text(), Profile::gpu, "The GPU model.", "V100");
  private static final Field<Profile, String> UNIT =
      Field.required("unit", Texts.text(), Profile::unit, "Name of the training unit.", "epoch");
  private static final Field<Profile, Measured> MEASURED =
      Field.required(
          "measured",
          ProfileParts.MEASURED,
          Profile::measured,
          "Origin of the numbers.",
          "{at: 2026-11-20T06:00:00Z, source: run r-17, samples: 40}");
  private static final Field<Profile, List<Row>> TRAINING =
      Field.required(
          "training",
          Lists.ofSome(TRAINING_ROW),
          profile -> Row.rows(profile.secondsByGpus()),
          "Seconds per unit of one trial by GPUs per trial. Throughput is interpolated between"
              + " counts and never extrapolated.",
          "[{gpus: 1, seconds: 30.0}, {gpus: 2, seconds: 16.043}]");
  private static final Field<Profile, List<Row>> SHARING =
      Field.withDefault(
          "sharing",
          Lists.of(SHARING_ROW),
          List.of(),
          profile -> Row.rows(profile.secondsBySharing()),
          "Seconds per unit of each trial when several share a GPU; measured counts only.",
          "[{trials_per_gpu: 2, seconds: 48.0}]");
  private static final Field<Profile, Spread> STARTUP =
      spread(
          "startup_s",
          Profile::startupS,
          "Seconds until a trial's first unit starts: process start, data load and restore.",
          "{mean: 10, cv: 0.2}");
  private static final Field<Profile, Spread> CHECKPOINT =
      spread(
          "checkpoint_s",
          Profile::checkpointS,
          "Seconds to write a checkpoint.",
          "{mean: 0, cv: 0}");
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
          ProfileParts.STRAGGLER,
          Straggler.NONE,
          Profile::straggler,
          "Rare trials that are much slower than the others.",
          "{probability: 0.01, slowdown: 3}");
  private static final Field<Profile, List<Double>> SAMPLES =
      Field.withDefault(
          "samples",
          Lists.of(Numbers.between(LEAST_SAMPLE, MOST_SAMPLE, "")),
          List.of(),
          Profile::samples,
          "Normalized trial durations; if given, they replace the log-normal distribution.",
          "[0.98, 1.01, 1.04]");
  private static final Field<Profile, Double> INSTANCE_CV =
      cv(
          "instance_cv",
          Profile::instanceCv,
          "Coefficient of variation of instance speed. It affects every trial on the instance for"
              + " the whole lease. A trial on several instances runs at the speed of the slowest"
              + " one.",
          "0.02");
  private static final Field<Profile, Straggler> INSTANCE_STRAGGLER =
      Field.withDefault(
          "instance_straggler",
          ProfileParts.INSTANCE_STRAGGLER,
          Straggler.NONE,
          Profile::instanceStraggler,
          "Rare instances on which every trial is much slower.",
          "{probability: 0.02, slowdown: 2}");
  private static final Field<Profile, List<Provisioning>> PROVISIONING =
      Field.withDefault(
          "provisioning",
          Lists.of(ProfileParts.PROVISIONING),
          List.of(),
          Profile::provisioning,
          "Measured provisioning times of offers; they replace the times in the offers.",
          "");

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
                  CHECKPOINT,
                  TRIAL_CV,
                  UNIT_CV,
                  STRAGGLER,
                  SAMPLES,
                  INSTANCE_CV,
                  INSTANCE_STRAGGLER,
                  PROVISIONING),
              ProfileSection::build)
          .checking(ProfileSection::check);

  private ProfileSection() {}

  private static Field<Profile, Spread> spread(
      String name, Function<Profile, Spread> getter, String doc, String example) {
    return Field.withDefault(name, SpreadSection.SECTION, Spread.NONE, getter, doc, example);
  }

  private static Field<Profile, Double> cv(
      String name, Function<Profile, Double> getter, String doc, String example) {
    return Field.withDefault(name, Bounds.cv(), 0.0, getter, doc, example);
  }

  private static void check(Values values) {
    checkDistinct(values, TRAINING, TRAINING_ROW);
    checkDistinct(values, SHARING, SHARING_ROW);
    Map<String, String> seen = new HashMap<>();
    for (Values.Part<Provisioning> part : values.parts(PROVISIONING, ProfileParts.PROVISIONING)) {
      if (seen.put(part.value().offer(), part.name()) != null) {
        values.problem(part, "the offer " + part.value().offer() + " is given twice", "");
      }
    }
  }

  private static void checkDistinct(Values values, Field<?, ?> field, Codec<Row> codec) {
    Map<Integer, Integer> seen = new HashMap<>();
    for (Values.Part<Row> part : values.parts(field, codec)) {
      int count = part.value().count();
      Integer first = seen.putIfAbsent(count, part.node().place().line());
      if (first != null) {
        values.problem(part, count + " is given twice, first on line " + first, "");
      }
    }
  }

  private static Profile build(Values values) {
    return new Profile(
        values.get(PROGRAM),
        values.get(GPU),
        values.get(UNIT),
        values.get(MEASURED),
        Row.table(values.get(TRAINING)),
        Row.table(values.get(SHARING)),
        values.get(STARTUP),
        values.get(CHECKPOINT),
        values.get(TRIAL_CV),
        values.get(UNIT_CV),
        values.get(STRAGGLER),
        values.get(SAMPLES),
        values.get(INSTANCE_CV),
        values.get(INSTANCE_STRAGGLER),
        values.get(PROVISIONING));
  }
}
