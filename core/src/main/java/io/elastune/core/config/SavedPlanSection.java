package io.elastune.core.config;

import io.elastune.core.config.SavedPlan.Hashes;
import io.elastune.core.config.SavedPlan.SavedJob;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The section {@code saved} of a plan file. */
final class SavedPlanSection {
  private static final Field<SavedPlan, Instant> CREATED =
      Field.required(
          "created",
          QuantityCodecs.dateTime(),
          SavedPlan::created,
          "Time at which the plan was created; it is stale after 24 hours.",
          "\"2026-11-20T06:00:00Z\"");
  private static final Field<SavedPlan, SavedJob> JOB =
      Field.required("job", job(), SavedPlan::job, "The resolved job.", "");
  private static final Field<SavedPlan, List<String>> PROFILES =
      Field.required(
          "profiles",
          ListCodecs.of(StringCodecs.text()),
          SavedPlan::profiles,
          "Texts of the profile files used.",
          "");
  private static final Field<SavedPlan, String> OFFERS =
      Field.required(
          "offers", StringCodecs.text(), SavedPlan::offers, "Text of the offers file used.", "");
  private static final Field<SavedPlan, Hashes> HASHES =
      Field.required(
          "hashes",
          hashes(),
          SavedPlan::hashes,
          "Hashes of the inputs; the plan is stale if one differs.",
          "");
  private static final Field<SavedPlan, Map<String, Double>> USD_PER_HOUR =
      Field.required(
          "usd_per_hour",
          MapCodecs.of(
              Pattern.compile("\\S+"), "an offer's name", FileValueLimits.usd("USD per hour")),
          SavedPlan::usdPerHour,
          "Price of each offer in the plan.",
          "{\"aws/us-east-1/p3.8xlarge/on-demand\": 12.24}");

  static final Section<SavedPlan> SECTION =
      Section.of(
          "saved",
          "Inputs of the planner, so that the plan can be executed from this file alone.",
          List.of(CREATED, JOB, PROFILES, OFFERS, HASHES, USD_PER_HOUR),
          fieldValues ->
              new SavedPlan(
                  fieldValues.get(CREATED),
                  fieldValues.get(JOB),
                  fieldValues.get(PROFILES),
                  fieldValues.get(OFFERS),
                  fieldValues.get(HASHES),
                  fieldValues.get(USD_PER_HOUR)));

  private SavedPlanSection() {}

  private static Section<SavedJob> job() {
    Field<SavedJob, String> file =
        Field.required(
            "file", StringCodecs.text(), SavedJob::file, "Name of the job file.", "job.yaml");
    Field<SavedJob, String> dir =
        Field.required(
            "dir",
            StringCodecs.text(),
            SavedJob::dir,
            "Folder to which the paths in the job are relative.",
            "/home/ada/tuning");
    Field<SavedJob, String> text =
        Field.required(
            "text",
            StringCodecs.text(),
            SavedJob::text,
            "The job with all defaults and overrides written out.",
            "");
    return Section.of(
        "saved.job",
        "The job of the plan.",
        List.of(file, dir, text),
        fieldValues ->
            new SavedJob(fieldValues.get(file), fieldValues.get(dir), fieldValues.get(text)));
  }

  private static Field<Hashes, String> hash(
      String name, Function<Hashes, String> getter, String doc) {
    return Field.required(
        name,
        StringCodecs.matching("SHA-256 in hexadecimal", Pattern.compile("[0-9a-f]{64}")),
        getter,
        doc,
        "");
  }

  private static Section<Hashes> hashes() {
    Field<Hashes, String> job = hash("job", Hashes::job, "Hash of the resolved job.");
    Field<Hashes, String> profile = hash("profile", Hashes::profile, "Hash of the profiles.");
    Field<Hashes, String> prices = hash("prices", Hashes::prices, "Hash of the offers.");
    return Section.of(
        "saved.hashes",
        "SHA-256 hashes of the inputs.",
        List.of(job, profile, prices),
        fieldValues ->
            new Hashes(fieldValues.get(job), fieldValues.get(profile), fieldValues.get(prices)));
  }
}
