package io.elastune.core.config;

import io.elastune.core.IntRange;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The section {@code trial} of a job file. */
final class TrialSection {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String VARIABLE_TYPE = "variable name of letters, digits and '_'";
  private static final Pattern PYTHON_PATH = Pattern.compile("[^~:\\s][^:\\n]*/python3?");
  private static final String PYTHON_TYPE = "path ending in /python or /python3";
  private static final Pattern IMAGE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]*");
  private static final Set<String> RESERVED_VARIABLES =
      Set.of(
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "MASTER_ADDR",
          "MASTER_PORT",
          "CUDA_VISIBLE_DEVICES");
  private static final double MOST_GB = 1e9;
  private static final List<String> STORES = List.of("s3", "gs");

  private static final Field<CheckpointPolicy, String> STORE =
      Field.optional(
          "store",
          StringCodecs.checked(
              "folder, file:///FOLDER, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX",
              TrialSection::readStore),
          "the run's folder",
          CheckpointPolicy::store,
          "A folder, a folder that all instances share (`file:`), or a bucket.",
          "s3://bucket/prefix");
  private static final Field<CheckpointPolicy, Integer> KEEP =
      Field.withDefault(
          "keep",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          2,
          CheckpointPolicy::keep,
          "Number of checkpoints kept per trial.",
          "2");
  private static final Field<CheckpointPolicy, Double> SIZE =
      Field.withDefault(
          "size_gb",
          NumberCodecs.between(0, MOST_GB, "GB"),
          0.0,
          CheckpointPolicy::sizeGb,
          "Size of one checkpoint.",
          "0.5");
  private static final Field<CheckpointPolicy, Double> USD_PER_GB_MONTH =
      Field.withDefault(
          "usd_per_gb_month",
          FileValueLimits.usd("USD per GB and month of 730 h"),
          0.0,
          CheckpointPolicy::usdPerGbMonth,
          "Storage price of `keep` checkpoints of every trial, from the start of the plan to its"
              + " completion.",
          "0.023");
  private static final Field<CheckpointPolicy, IntRange> EVERY =
      Field.optional(
          "every",
          QuantityCodecs.range(),
          "trials save as they like",
          CheckpointPolicy::every,
          "Units between two checkpoints that the trial supports; see"
              + " [checkpoints](trial-protocol.md#checkpoints).",
          "1..16");
  private static final Section<CheckpointPolicy> CHECKPOINT_SECTION =
      Section.of(
          "trial.checkpoint",
          "When checkpoints are saved, and where they are stored.",
          List.of(STORE, KEEP, SIZE, USD_PER_GB_MONTH, EVERY),
          fieldValues ->
              new CheckpointPolicy(
                  fieldValues.find(STORE),
                  fieldValues.get(KEEP),
                  fieldValues.get(SIZE),
                  fieldValues.get(USD_PER_GB_MONTH),
                  fieldValues.find(EVERY)));

  private static final Field<TrialSpec, String> WORKDIR =
      Field.withDefault(
          "workdir",
          StringCodecs.text(),
          ".",
          TrialSpec::workdir,
          "Folder of the training program, relative to the job file. `setup` and `run` use a copy"
              + " of its code.",
          ".");
  private static final Field<TrialSpec, Long> MAX_CODE_SIZE =
      Field.withDefault(
          "max_code_size",
          QuantityCodecs.size(),
          500_000_000L,
          TrialSpec::maxCodeBytes,
          "Largest total size of the code in `workdir`: its files that are not ignored.",
          "500M");
  private static final Field<TrialSpec, String> SETUP =
      Field.optional(
          "setup",
          StringCodecs.text(),
          "none",
          TrialSpec::setup,
          "Shell commands that run once per instance, in `bash` or else `sh`; the first that fails"
              + " is an error. Part of the boot time.",
          "pip install -r requirements.txt");
  private static final Field<TrialSpec, String> PYTHON =
      Field.optional(
          "python",
          StringCodecs.matching(PYTHON_TYPE, PYTHON_PATH),
          "that of the instance",
          TrialSpec::python,
          "Interpreter, absolute or relative to `workdir`. Its folder is first on the `PATH` of"
              + " `setup` and `run`.",
          ".venv/bin/python");
  private static final Field<TrialSpec, String> IMAGE =
      Field.optional(
          "image",
          StringCodecs.matching("name of a container image", IMAGE_NAME),
          "no container",
          TrialSpec::image,
          "Docker image of the workers; see [containers](trial-protocol.md#containers)."
              + " `setup` runs outside of it.",
          "pytorch/pytorch:latest");
  private static final Field<TrialSpec, String> RUN =
      Field.required(
          "run",
          StringCodecs.text(),
          TrialSpec::run,
          "Shell commands of one worker of a trial; they end at the first that fails.",
          "python train.py");
  private static final Field<TrialSpec, IntRange> GPUS =
      Field.withDefault(
          "gpus",
          QuantityCodecs.range(),
          new IntRange(1, 1),
          TrialSpec::gpus,
          "Allowed GPUs per trial; the planner uses those that are legal and measured.",
          "1..8");
  private static final Field<TrialSpec, Integer> MAX_FAILURES =
      Field.withDefault(
          "max_failures",
          NumberCodecs.wholeNumber(0, Integer.MAX_VALUE),
          2,
          TrialSpec::maxFailures,
          "Failed attempts of a trial that are tolerated over the whole run before it is dropped.",
          "2");
  private static final Field<TrialSpec, Duration> SILENCE =
      Field.optional(
          "silence",
          QuantityCodecs.duration(Duration.ofSeconds(1)),
          "3 times the predicted time, at least 20s",
          TrialSpec::silence,
          "Time without any sign of life (report, line of output, CPU activity) after which a trial"
              + " is stopped as hung and retried.",
          "30m");
  private static final Field<TrialSpec, CheckpointPolicy> CHECKPOINT =
      Field.optional(
          "checkpoint",
          CHECKPOINT_SECTION,
          "all defaults",
          trial -> Optional.of(trial.checkpoints()),
          "When checkpoints are saved, and where they are stored.",
          "{store: s3://bucket/prefix, keep: 2}");
  private static final Field<TrialSpec, Boolean> RESUMABLE =
      Field.withDefault(
          "resumable",
          ScalarCodecs.trueOrFalse(),
          true,
          TrialSpec::resumable,
          "Whether trials resume from checkpoints. If `false`, every group and every new attempt"
              + " trains them from unit 0, which the plan counts.",
          "false");
  private static final Field<TrialSpec, Map<String, String>> ENVS =
      Field.withDefault(
          "envs",
          MapCodecs.of(VARIABLE, "a " + VARIABLE_TYPE, StringCodecs.textOrEmpty()),
          Map.of(),
          TrialSpec::envs,
          "Environment variables for `setup` and `run`; quote numbers.",
          "{OMP_NUM_THREADS: \"2\"}");
  private static final Codec<String> SECRET = StringCodecs.matching(VARIABLE_TYPE, VARIABLE);
  private static final Field<TrialSpec, List<String>> SECRETS =
      Field.optional(
          "secrets",
          ListCodecs.distinct(SECRET),
          "none",
          trial -> Optional.of(trial.secrets()).filter(names -> !names.isEmpty()),
          "Names of environment variables for `setup` and `run`; never stored, and masked in logs.",
          "[WANDB_API_KEY]");

  static final Section<TrialSpec> SECTION =
      Section.<TrialSpec>of(
              "trial",
              "How trials are executed.",
              List.of(
                  WORKDIR,
                  SETUP,
                  PYTHON,
                  IMAGE,
                  RUN,
                  GPUS,
                  MAX_FAILURES,
                  SILENCE,
                  RESUMABLE,
                  CHECKPOINT,
                  ENVS,
                  SECRETS,
                  MAX_CODE_SIZE),
              TrialSection::build)
          .withValidation(TrialSection::check);

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
  }

  private static void checkFree(
      FieldValues fieldValues, FieldValues.ValuePart<String> valuePart, String variable) {
    if (RESERVED_VARIABLES.contains(variable) || variable.startsWith("ELASTUNE_")) {
      fieldValues.problem(valuePart, variable + " is set by Elastune", "leave it out");
    }
  }

  private static TrialSpec build(FieldValues fieldValues) {
    return new TrialSpec(
        fieldValues.get(WORKDIR),
        fieldValues.find(SETUP),
        fieldValues.find(PYTHON),
        fieldValues.find(IMAGE),
        fieldValues.get(RUN),
        fieldValues.get(GPUS),
        fieldValues.get(MAX_FAILURES),
        fieldValues.find(SILENCE),
        fieldValues.find(CHECKPOINT).orElseGet(CHECKPOINT_SECTION::allDefaults),
        fieldValues.get(ENVS),
        fieldValues.find(SECRETS).orElse(List.of()),
        fieldValues.get(MAX_CODE_SIZE),
        fieldValues.get(RESUMABLE));
  }
}
