package io.elastune.core.files;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code plan -o} keeps beside the plan, so that it can be run from the one file and told to
 * be stale.
 *
 * @param created when the plan was made
 * @param job the job, resolved
 * @param profiles the texts of the profile files planned with
 * @param offers the text of the offers file planned with
 * @param hashes of what was planned with
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
   * The job of a saved plan.
   *
   * @param file the job file's name
   * @param dir the folder to which the job's paths are relative
   * @param text the job with every default and override written out: {@link JobFile#write}
   */
  public record SavedJob(String file, String dir, String text) {}

  /** SHA-256 in hexadecimal, of the texts that the plan was made from. */
  public record Hashes(String job, String profile, String prices) {}

  public SavedPlan {
    profiles = List.copyOf(profiles);
    usdPerHour = Collections.unmodifiableMap(new LinkedHashMap<>(usdPerHour));
  }
}
