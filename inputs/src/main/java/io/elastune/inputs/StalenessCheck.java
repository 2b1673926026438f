package io.elastune.inputs;

import io.elastune.core.config.SavedPlan;
import io.elastune.core.offer.OfferCatalog;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Checks whether a saved plan is stale. It is stale if the job or a profile has changed since, if a
 * price that it uses has changed by more than 5%, or if it is older than 24 hours.
 */
public final class StalenessCheck {
  /** The maximum age of a saved plan. */
  public static final Duration MAX_AGE = Duration.ofHours(24);

  private static final double MAX_PRICE_CHANGE = 0.05;
  private static final double ROUNDING = 1e-9;

  private StalenessCheck() {}

  /**
   * The current inputs.
   *
   * @param job the job file's text; empty if the file no longer exists
   * @param profiles the profiles' texts, in the order of the saved plan
   * @param offers the offers
   */
  public record CurrentInputs(Optional<String> job, List<String> profiles, OfferCatalog offers) {
    public CurrentInputs {
      profiles = List.copyOf(profiles);
    }
  }

  /** Returns the hashes of the texts that a plan is made from. */
  public static SavedPlan.Hashes hashes(String job, List<String> profiles, String offers) {
    return new SavedPlan.Hashes(sha256(job), sha256(String.join("\0", profiles)), sha256(offers));
  }

  /** Returns a sentence for each reason why the plan is stale; empty if it is not. */
  public static List<String> reasons(SavedPlan saved, CurrentInputs currentInputs, Instant now) {
    List<String> reasons = new ArrayList<>();
    if (currentInputs.job().map(text -> !sha256(text).equals(saved.hashes().job())).orElse(true)) {
      reasons.add("the job file " + saved.job().file() + " has changed since the plan was made");
    }
    if (!sha256(String.join("\0", currentInputs.profiles())).equals(saved.hashes().profile())) {
      reasons.add("the profile has changed since the plan was made");
    }
    saved
        .usdPerHour()
        .forEach((offer, usd) -> priceChange(offer, usd, currentInputs).ifPresent(reasons::add));
    Duration age = Duration.between(saved.created(), now);
    if (age.compareTo(MAX_AGE) > 0) {
      reasons.add("the plan is " + age.toHours() + " h old, and a plan is valid for 24 h");
    }
    return reasons;
  }

  private static Optional<String> priceChange(
      String offer, double was, CurrentInputs currentInputs) {
    OptionalDouble is =
        currentInputs.offers().find(offer).stream()
            .mapToDouble(found -> found.usdPerHour())
            .findFirst();
    if (is.isEmpty()) {
      return Optional.of(offer + " is no longer offered");
    }
    return hasPriceChanged(was, is.getAsDouble())
        ? Optional.of(priceChange(offer, was, is.getAsDouble()))
        : Optional.empty();
  }

  /** Returns whether a price has changed by more than 5%. */
  public static boolean hasPriceChanged(double was, double is) {
    return Math.abs(is - was) > was * MAX_PRICE_CHANGE * (1 + ROUNDING);
  }

  /** Returns a sentence that states the change of a price. */
  public static String priceChange(String offer, double was, double is) {
    return String.format(
        Locale.ROOT,
        "the price of %s changed from %s to %s USD/h, by more than 5%%",
        offer,
        was,
        is);
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
