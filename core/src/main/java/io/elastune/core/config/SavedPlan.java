package io.elastune.core.config;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The inputs of the planner that {@code plan -o} stores with a plan. They make the file executable
 * on its own and allow a check whether the plan is stale.
 *
 * @param created when the plan was made
 * @param job the resolved job
 * @param profiles the texts of the profile files used
 * @param offers the text of the offers file used
 * @param hashes hashes of the inputs
 * @param usdPerHour the price of each offer in the plan
 */
public record SavedPlan(
    Instant created,
    SavedJob job,
    List<String> profiles,
    String offers,
    Hashes hashes,
    Map<String, Double> usdPerHour) {

  /**
   * The job stored in a saved plan.
   *
   * @param file the job file's name
   * @param dir folder to which the paths in the job are relative
   * @param text the job with all defaults and overrides written out by {@link JobFile#write}
   */
  public record SavedJob(String file, String dir, String text) {}

  /** SHA-256 hashes of the inputs, in hexadecimal. */
  public record Hashes(String job, String profile, String prices) {}

  public SavedPlan {
    profiles = List.copyOf(profiles);
    usdPerHour = Collections.unmodifiableMap(new LinkedHashMap<>(usdPerHour));
  }
}
