package io.elastune.core.config;

import io.elastune.core.config.ProfileSubsections.CountRow;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import java.util.HashMap;
import java.util.Map;

/** The top-level section of a profile file. */
final class ProfileSection {
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

  private static final RecordSection<Profile> FIELDS =
      RecordSection.define(Profile.class)
          .codec("measured", ProfileSubsections.MEASURED)
          .codec("secondsByGpus", CountRow.table(ListCodecs.nonEmpty(TRAINING_ROW)))
          .codec("secondsBySharing", CountRow.table(ListCodecs.of(SHARING_ROW)))
          .codec("checkpoint", CheckpointSection.SECTION)
          .absent("checkpoint", CheckpointMeasurement.NONE)
          .codec("straggler", ProfileSubsections.STRAGGLER)
          .absent("straggler", Straggler.NONE)
          .codec("instanceStraggler", ProfileSubsections.INSTANCE_STRAGGLER)
          .absent("instanceStraggler", Straggler.NONE)
          .codec("faults", FaultRateSections.OF_PROFILE)
          .empty("faults", TrialFaultRates.NONE, TrialFaultRates::isNone)
          .<ConfigurationEffect>empty(
              "configurations", ConfigurationEffect.NONE, effect -> !effect.isKnown());
  private static final Field<Profile, ?> TRAINING = FIELDS.field("secondsByGpus");
  private static final Field<Profile, ?> SHARING = FIELDS.field("secondsBySharing");
  private static final Field<Profile, ?> PROVISIONING = FIELDS.field("provisioning");

  static final Section<Profile> SECTION = FIELDS.section(ProfileSection::check);

  private ProfileSection() {}

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
}
