package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Market;
import java.util.Map;
import java.util.Optional;

/**
 * A request to launch one instance.
 *
 * @param token the idempotency token: repeated requests with the same token launch one instance
 * @param zone the zone; if empty, EC2 chooses
 * @param tags set by the launch call on the instance and on all that it creates for it
 * @param userData the script that runs at first boot
 * @param group the placement group, if any
 */
public record LaunchRequest(
    String token,
    String type,
    Market market,
    Optional<String> zone,
    RegionSettings settings,
    Map<String, String> tags,
    String userData,
    Optional<String> group) {
  /** EC2's limit. */
  private static final int LONGEST_TOKEN = 64;

  public LaunchRequest {
    Preconditions.text("token", token);
    Preconditions.that(
        token.length() <= LONGEST_TOKEN,
        "the token exceeds " + LONGEST_TOKEN + " characters: " + token);
    tags = Map.copyOf(tags);
  }

  /** Creates a request without a placement group. */
  public LaunchRequest(
      String token,
      String type,
      Market market,
      Optional<String> zone,
      RegionSettings settings,
      Map<String, String> tags,
      String userData) {
    this(token, type, market, zone, settings, tags, userData, Optional.empty());
  }

  /** Omits the script and the tags, which are long. */
  @Override
  public String toString() {
    return "LaunchOrder[" + token + ", " + type + ", " + market.word() + ", " + zone + "]";
  }
}
