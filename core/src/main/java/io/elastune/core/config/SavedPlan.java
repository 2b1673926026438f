package io.elastune.core.config;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The inputs of the planner that {@code plan -o} stores with a plan. They make the file executable
 * on its own and allow a check whether the plan is stale.
 */
@FileSection(
    title = "saved",
    doc = "Inputs of the planner, so that the plan can be executed from this file alone.")
public record SavedPlan(
    @FileField(
            doc = "Time at which the plan was created; it is stale after 24 hours.",
            example = "\"2026-11-20T06:00:00Z\"")
        Instant created,
    @FileField(doc = "The resolved job.", example = "") SavedJob job,
    @FileField(doc = "Texts of the profile files used.", example = "") List<String> profiles,
    @FileField(doc = "Text of the offers file used.", example = "") String offers,
    @FileField(doc = "Hashes of the inputs; the plan is stale if one differs.", example = "")
        Hashes hashes,
    @FileField(
            doc = "Price of each offer in the plan.",
            example = "{\"aws/us-east-1/p3.8xlarge/on-demand\": 12.24}")
        Map<String, Double> usdPerHour) {

  /** The job stored in a saved plan; {@link JobFile#write} has written its text. */
  @FileSection(title = "saved.job", doc = "The job of the plan.")
  public record SavedJob(
      @FileField(doc = "Name of the job file.", example = "job.yaml") String file,
      @FileField(
              doc = "Folder to which the paths in the job are relative.",
              example = "/home/ada/tuning")
          String dir,
      @FileField(doc = "The job with all defaults and overrides written out.", example = "")
          String text) {}

  /** SHA-256 hashes of the inputs, in hexadecimal. */
  @FileSection(title = "saved.hashes", doc = "SHA-256 hashes of the inputs.")
  public record Hashes(
      @FileField(doc = "Hash of the resolved job.", example = "") String job,
      @FileField(doc = "Hash of the profiles.", example = "") String profile,
      @FileField(doc = "Hash of the offers.", example = "") String prices) {}

  public SavedPlan {
    profiles = List.copyOf(profiles);
    usdPerHour = Collections.unmodifiableMap(new LinkedHashMap<>(usdPerHour));
  }
}
