package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Resources;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The section {@code resources} of a job file. */
final class ResourcesSection {
  private static final int MOST_LABELS = 40;
  private static final int LONGEST_LABEL_VALUE = 255;
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_.:/=+@-]{0,126}");
  private static final Pattern GOOGLE_LABEL = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern GOOGLE_LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");
  private static final Pattern RESERVED_LABEL = Pattern.compile("(?i)(aws:|elastune-|goog-).*");

  private static final int DEFAULT_MAX_INSTANCES = 16;

  private static final RecordSection<Resources> FIELDS =
      RecordSection.define(Resources.class)
          .codec("infra", ListCodecs.distinct(InfraCodec.CODEC))
          .codec("discount", QuantityCodecs.fraction(false))
          .codec(
              "labels",
              MapCodecs.of(
                  LABEL,
                  "a label: a letter, then up to 126 letters, digits and _.:/=+@-",
                  StringCodecs.textOrEmpty()))
          .computed("maxInstances", ResourcesSection::mostInstances)
          .written("maxInstances", resources -> resources.instances().isEmpty());
  private static final Field<Resources, List<String>> INFRA = FIELDS.field("infra");
  private static final Field<Resources, Integer> MAX_INSTANCES = FIELDS.field("maxInstances");
  private static final Field<Resources, Integer> INSTANCES = FIELDS.field("instances");
  private static final Field<Resources, Map<String, String>> LABELS = FIELDS.field("labels");

  static final Section<Resources> SECTION = FIELDS.section(ResourcesSection::check);

  private ResourcesSection() {}

  private static void check(FieldValues fieldValues) {
    if (fieldValues.isGiven(INSTANCES) && fieldValues.isGiven(MAX_INSTANCES)) {
      fieldValues.problem(
          INSTANCES, "cannot be combined with max_instances", "leave one of them out");
    }
    boolean google =
        fieldValues.find(INFRA).orElse(List.of()).stream()
            .anyMatch(place -> place.startsWith("gcp/"));
    List<FieldValues.ValuePart<String>> labels =
        fieldValues.parts(LABELS, StringCodecs.textOrEmpty());
    if (labels.size() > MOST_LABELS) {
      fieldValues.problem(LABELS, "must be at most " + MOST_LABELS, "");
    }
    for (FieldValues.ValuePart<String> label : labels) {
      if (RESERVED_LABEL.matcher(label.name()).matches()) {
        fieldValues.problem(label, "aws:, goog- and elastune- are reserved", "choose another name");
      }
      if (label.value().length() > LONGEST_LABEL_VALUE) {
        fieldValues.problem(label, "is longer than " + LONGEST_LABEL_VALUE + " characters", "");
      }
      boolean legal =
          !LABEL.matcher(label.name()).matches()
              || (GOOGLE_LABEL.matcher(label.name()).matches()
                  && GOOGLE_LABEL_VALUE.matcher(label.value()).matches());
      if (google && !legal) {
        fieldValues.problem(
            label,
            "on Google Cloud, names and values have at most 63 of a-z, 0-9, '_' and '-'",
            "");
      }
    }
  }

  private static int mostInstances(FieldValues fieldValues) {
    return fieldValues
        .find(INSTANCES)
        .or(() -> fieldValues.find(MAX_INSTANCES))
        .orElse(DEFAULT_MAX_INSTANCES);
  }
}
