package io.elastune.core.files;

import io.elastune.core.files.SavedPlan.Hashes;
import io.elastune.core.files.SavedPlan.SavedJob;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Quantities;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
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
          Quantities.moment(),
          SavedPlan::created,
          "Time at which the plan was created; it is stale after 24 hours.",
          "\"2026-11-20T06:00:00Z\"");
  private static final Field<SavedPlan, SavedJob> JOB =
      Field.required("job", job(), SavedPlan::job, "The resolved job.", "");
  private static final Field<SavedPlan, List<String>> PROFILES =
      Field.required(
          "profiles",
          Lists.of(Texts.text()),
          SavedPlan::profiles,
          "Texts of the profile files used.",
          "");
  private static final Field<SavedPlan, String> OFFERS =
      Field.required(
          "offers", Texts.text(), SavedPlan::offers, "Text of the offers file used.", "");
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
          Maps.of(Pattern.compile("\\S+"), "an offer's name", Bounds.usd("USD per hour")),
          SavedPlan::usdPerHour,
          "Price of each offer in the plan; the plan is stale if one changed by more than 5 %.",
          "{\"aws/us-east-1/p3.8xlarge/on-demand\": 12.24}");

  static final Section<SavedPlan> SECTION =
      Section.of(
          "saved",
          "Inputs of the planner, so that the plan can be executed from this file alone.",
          List.of(CREATED, JOB, PROFILES, OFFERS, HASHES, USD_PER_HOUR),
          values ->
              new SavedPlan(
                  values.get(CREATED),
                  values.get(JOB),
                  values.get(PROFILES),
                  values.get(OFFERS),
                  values.get(HASHES),
                  values.get(USD_PER_HOUR)));

  private SavedPlanSection() {}

  private static Section<SavedJob> job() {
    Field<SavedJob, String> file =
        Field.required("file", Texts.text(), SavedJob::file, "Name of the job file.", "job.yaml");
    Field<SavedJob, String> dir =
        Field.required(
            "dir",
            Texts.text(),
            SavedJob::dir,
            "Folder to which the paths in the job are relative.",
            "/home/ada/tuning");
    Field<SavedJob, String> text =
        Field.required(
            "text",
            Texts.text(),
            SavedJob::text,
            "The job with all defaults and overrides written out.",
            "");
    return Section.of(
        "saved.job",
        "The job of the plan.",
        List.of(file, dir, text),
        values -> new SavedJob(values.get(file), values.get(dir), values.get(text)));
  }

  private static Field<Hashes, String> hash(
      String name, Function<Hashes, String> getter, String doc) {
    return Field.required(
        name,
        Texts.matching("SHA-256 in hexadecimal", Pattern.compile("[0-9a-f]{64}")),
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
        values -> new Hashes(values.get(job), values.get(profile), values.get(prices)));
  }
}
