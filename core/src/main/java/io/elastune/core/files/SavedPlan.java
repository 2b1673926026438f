package io.elastune.core.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
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

  private static final Duration OLDEST = Duration.ofHours(24);
  private static final double MOST_PRICE_MOVE = 0.05;

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

  /** The same with the hashes of its texts. */
  public static SavedPlan of(
      Instant created,
      SavedJob job,
      List<String> profiles,
      String offers,
      Map<String, Double> usdPerHour) {
    Hashes hashes = new Hashes(hash(job.text()), hash(String.join("\n", profiles)), hash(offers));
    return new SavedPlan(created, job, profiles, offers, hashes, usdPerHour);
  }

  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Why the plan must not be run any more, one sentence each; nothing if it may be.
   *
   * @param current what a plan made now would be saved with; its prices are those of today
   */
  public List<String> staleBecause(SavedPlan current) {
    List<String> reasons = new ArrayList<>();
    if (!hash(job.text()).equals(hashes.job()) || !hashes.job().equals(current.hashes.job())) {
      reasons.add("the job has changed since");
    }
    if (!hashes.profile().equals(current.hashes.profile())) {
      reasons.add("the profile has changed since");
    }
    usdPerHour.forEach(
        (offer, then) -> {
          Double now = current.usdPerHour.get(offer);
          if (now == null) {
            reasons.add("the offer " + offer + " is gone");
          } else if (Math.abs(now - then) > MOST_PRICE_MOVE * then) {
            reasons.add("the price of " + offer + " went from " + then + " to " + now + " USD/h");
          }
        });
    if (Duration.between(created, current.created).compareTo(OLDEST) > 0) {
      reasons.add("the plan is more than " + OLDEST.toHours() + " h old");
    }
    return reasons;
  }
}
