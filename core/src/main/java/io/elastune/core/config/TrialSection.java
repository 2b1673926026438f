package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.ReservedVariables;
import io.elastune.core.job.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The section {@code trial} of a job file. */
final class TrialSection {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String VARIABLE_TYPE = "variable name of letters, digits and '_'";
  private static final Pattern PYTHON_PATH = Pattern.compile("[^~:\\s][^:\\n]*/python3?");
  private static final String PYTHON_TYPE = "path ending in /python or /python3";
  private static final Pattern IMAGE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]*");
  private static final List<String> STORES = List.of("s3", "gs");
  private static final Codec<String> INHERITED =
      StringCodecs.matching(
          "variable name, NAME* or *", Pattern.compile("[A-Za-z_][A-Za-z0-9_]*[*]?|[*]"));
  private static final Codec<String> SECRET = StringCodecs.matching(VARIABLE_TYPE, VARIABLE);

  private static final RecordSection<TrialSpec> FIELDS =
      RecordSection.define(TrialSpec.class)
          .codec("python", StringCodecs.matching(PYTHON_TYPE, PYTHON_PATH))
          .codec("image", StringCodecs.matching("name of a container image", IMAGE_NAME))
          .codec(
              "checkpoints",
              RecordSection.define(CheckpointPolicy.class)
                  .codec(
                      "store",
                      StringCodecs.checked(
                          "folder, file:///FOLDER, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX",
                          TrialSection::readStore))
                  .section())
          .codec("envs", MapCodecs.of(VARIABLE, "a " + VARIABLE_TYPE, StringCodecs.textOrEmpty()))
          .codec("secrets", ListCodecs.distinct(SECRET))
          .codec("inherit", ListCodecs.distinct(INHERITED))
          .empty("resumable", true, resumable -> false)
          .codec("maxCodeBytes", QuantityCodecs.size());
  private static final Field<TrialSpec, String> PYTHON = FIELDS.field("python");
  private static final Field<TrialSpec, String> IMAGE = FIELDS.field("image");
  private static final Field<TrialSpec, CheckpointPolicy> CHECKPOINT = FIELDS.field("checkpoints");
  private static final Field<TrialSpec, Boolean> RESUMABLE = FIELDS.field("resumable");
  private static final Field<TrialSpec, Boolean> KEEP_ALIVE = FIELDS.field("keepAlive");
  private static final Field<TrialSpec, Map<String, String>> ENVS = FIELDS.field("envs");
  private static final Field<TrialSpec, List<String>> SECRETS = FIELDS.field("secrets");

  private static final Field<TrialSpec, List<String>> INHERIT = FIELDS.field("inherit");

  static final Codec<Boolean> RESUMABLE_CODEC = RESUMABLE.codec();

  static final Section<TrialSpec> SECTION = FIELDS.section(TrialSection::check);

  private TrialSection() {}

  private static ReadResult<String> readStore(String text) {
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon);
    boolean bucket = text.length() > colon + 3 && text.charAt(colon + 3) != '/';
    boolean folder = text.matches("file:///[^/].*");
    return colon < 0 || folder || (STORES.contains(scheme) && bucket)
        ? ReadResult.valid(text)
        : ReadResult.invalid(
            "must be a folder, file:///FOLDER, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, not \""
                + text
                + "\"");
  }

  private static void check(FieldValues fieldValues) {
    if (fieldValues.isGiven(PYTHON) && fieldValues.isGiven(IMAGE)) {
      fieldValues.problem(
          PYTHON, "has no effect in the container of trial.image", "leave out one of the two");
    }
    if (fieldValues.find(CHECKPOINT).flatMap(CheckpointPolicy::every).isPresent()
        && !fieldValues.find(RESUMABLE).orElse(true)) {
      fieldValues.problem(
          CHECKPOINT,
          "every has no effect on trials that do not resume",
          "leave out every, or resumable: false");
    }
    if (fieldValues.find(KEEP_ALIVE).orElse(false) && !fieldValues.find(RESUMABLE).orElse(true)) {
      fieldValues.problem(
          KEEP_ALIVE,
          "has no effect on trials that do not resume",
          "leave it out, or resumable: false");
    }
    Map<String, String> envs = fieldValues.find(ENVS).orElse(Map.of());
    for (FieldValues.ValuePart<String> variable :
        fieldValues.parts(ENVS, StringCodecs.textOrEmpty())) {
      checkFree(fieldValues, variable, variable.name());
    }
    for (FieldValues.ValuePart<String> secret : fieldValues.parts(SECRETS, SECRET)) {
      checkFree(fieldValues, secret, secret.value());
      if (envs.containsKey(secret.value())) {
        fieldValues.problem(secret, secret.value() + " is also given in envs", "");
      }
    }
    checkInherited(fieldValues, envs);
  }

  private static void checkInherited(FieldValues fieldValues, Map<String, String> envs) {
    for (FieldValues.ValuePart<String> name : fieldValues.parts(INHERIT, INHERITED)) {
      checkFree(fieldValues, name, name.value());
      if (envs.containsKey(name.value())) {
        fieldValues.problem(name, name.value() + " is also given in envs", "");
      }
    }
  }

  private static void checkFree(
      FieldValues fieldValues, FieldValues.ValuePart<String> valuePart, String variable) {
    if (ReservedVariables.contains(variable)) {
      fieldValues.problem(valuePart, variable + " is set by Elastune", "leave it out");
    }
  }
}
