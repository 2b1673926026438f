package io.elastune.core.files;

import io.elastune.core.IntRange;
import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Quantities;
import io.elastune.core.files.schema.Reading;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.job.Checkpoints;
import io.elastune.core.job.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The section {@code trial} of a job file. */
final class TrialSection {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String VARIABLE_TYPE = "variable name of letters, digits and '_'";
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

  private static final Field<Checkpoints, String> STORE =
      Field.optional(
          "store",
          Texts.checked(
              "folder, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX", TrialSection::readStore),
          "the run's folder",
          Checkpoints::store,
          "Where checkpoints are stored.",
          "s3://bucket/prefix");
  private static final Field<Checkpoints, Integer> KEEP =
      Field.withDefault(
          "keep",
          Numbers.whole(1, Integer.MAX_VALUE),
          2,
          Checkpoints::keep,
          "Number of checkpoints kept per trial.",
          "2");
  private static final Field<Checkpoints, Double> SIZE =
      Field.withDefault(
          "size_gb",
          Numbers.between(0, MOST_GB, "GB"),
          0.0,
          Checkpoints::sizeGb,
          "Size of one checkpoint.",
          "0.5");
  private static final Field<Checkpoints, Double> USD_PER_GB_MONTH =
      Field.withDefault(
          "usd_per_gb_month",
          Bounds.usd("USD per GB and month of 730 h"),
          0.0,
          Checkpoints::usdPerGbMonth,
          "Storage price. It is charged from the start of the plan to its completion, for `keep`"
              + " checkpoints of every trial. Later storage is not included.",
          "0.023");
  private static final Section<Checkpoints> CHECKPOINT_SECTION =
      Section.of(
          "trial.checkpoint",
          "How checkpoints are stored.",
          List.of(STORE, KEEP, SIZE, USD_PER_GB_MONTH),
          values ->
              new Checkpoints(
                  values.find(STORE),
                  values.get(KEEP),
                  values.get(SIZE),
                  values.get(USD_PER_GB_MONTH)));

  private static final Field<TrialSpec, String> WORKDIR =
      Field.withDefault(
          "workdir",
          Texts.text(),
          ".",
          TrialSpec::workdir,
          "Working directory of `setup` and `run`; relative to the job file.",
          ".");
  private static final Field<TrialSpec, String> SETUP =
      Field.optional(
          "setup",
          Texts.text(),
          "none",
          TrialSpec::setup,
          "Shell command that runs once per instance; part of its boot time.",
          "pip install -r requirements.txt");
  private static final Field<TrialSpec, String> RUN =
      Field.required(
          "run",
          Texts.text(),
          TrialSpec::run,
          "Shell command of one worker of a trial.",
          "python train.py");
  private static final Field<TrialSpec, IntRange> GPUS =
      Field.withDefault(
          "gpus",
          Quantities.range(),
          new IntRange(1, 1),
          TrialSpec::gpus,
          "Allowed GPUs per trial; the planner uses those that are legal and measured.",
          "1..8");
  private static final Field<TrialSpec, Integer> MAX_FAILURES =
      Field.withDefault(
          "max_failures",
          Numbers.whole(0, Integer.MAX_VALUE),
          2,
          TrialSpec::maxFailures,
          "Failed attempts of a trial that are tolerated over the whole run before it is dropped.",
          "2");
  private static final Field<TrialSpec, Checkpoints> CHECKPOINT =
      Field.optional(
          "checkpoint",
          CHECKPOINT_SECTION,
          "all defaults",
          trial -> Optional.of(trial.checkpoints()),
          "How checkpoints are stored.",
          "{store: s3://bucket/prefix, keep: 2}");
  private static final Field<TrialSpec, Map<String, String>> ENVS =
      Field.withDefault(
          "envs",
          Maps.of(VARIABLE, "a " + VARIABLE_TYPE, Texts.textOrEmpty()),
          Map.of(),
          TrialSpec::envs,
          "Environment variables for `setup` and `run`; quote numbers.",
          "{OMP_NUM_THREADS: \"2\"}");
  private static final Codec<String> SECRET = Texts.matching(VARIABLE_TYPE, VARIABLE);
  private static final Field<TrialSpec, List<String>> SECRETS =
      Field.optional(
          "secrets",
          Lists.ofDistinct(SECRET),
          "none",
          trial -> Optional.of(trial.secrets()).filter(names -> !names.isEmpty()),
          "Names of environment variables passed to trials; never written to disk or logs.",
          "[WANDB_API_KEY]");

  static final Section<TrialSpec> SECTION =
      Section.<TrialSpec>of(
              "trial",
              "How trials are executed.",
              List.of(WORKDIR, SETUP, RUN, GPUS, MAX_FAILURES, CHECKPOINT, ENVS, SECRETS),
              TrialSection::build)
          .checking(TrialSection::check);

  private TrialSection() {}

  private static Reading<String> readStore(String text) {
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon);
    boolean bucket = text.length() > colon + 3 && text.charAt(colon + 3) != '/';
    return colon < 0 || (STORES.contains(scheme) && bucket)
        ? Reading.right(text)
        : Reading.wrong(
            "must be a folder, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, not \"" + text + "\"");
  }

  private static void check(Values values) {
    Map<String, String> envs = values.find(ENVS).orElse(Map.of());
    for (Values.Part<String> variable : values.parts(ENVS, Texts.textOrEmpty())) {
      checkFree(values, variable, variable.name());
    }
    for (Values.Part<String> secret : values.parts(SECRETS, SECRET)) {
      checkFree(values, secret, secret.value());
      if (envs.containsKey(secret.value())) {
        values.problem(secret, secret.value() + " is also given in envs", "");
      }
    }
  }

  private static void checkFree(Values values, Values.Part<String> part, String variable) {
    if (RESERVED_VARIABLES.contains(variable) || variable.startsWith("ELASTUNE_")) {
      values.problem(part, variable + " is set by Elastune", "leave it out");
    }
  }

  private static TrialSpec build(Values values) {
    return new TrialSpec(
        values.get(WORKDIR),
        values.find(SETUP),
        values.get(RUN),
        values.get(GPUS),
        values.get(MAX_FAILURES),
        values.find(CHECKPOINT).orElseGet(CHECKPOINT_SECTION::allDefaults),
        values.get(ENVS),
        values.find(SECRETS).orElse(List.of()));
  }
}
