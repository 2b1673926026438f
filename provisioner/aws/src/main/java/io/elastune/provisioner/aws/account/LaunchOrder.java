package io.elastune.provisioner.aws.account;

import io.elastune.core.Check;
import io.elastune.core.offer.Market;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One instance to be launched.
 *
 * @param token the idempotency token: the same order with the same token launches once
 * @param zone the zone; empty lets EC2 choose
 * @param tags put on the instance and its volumes by the launching call itself
 * @param userData the script of its first boot
 * @param maxSpotUsdPerHour on spot: the most that is paid
 * @param group the placement group whose other instances it is to stand close to
 */
public record LaunchOrder(
    String token,
    String type,
    Market market,
    Optional<String> zone,
    RegionSettings settings,
    Map<String, String> tags,
    String userData,
    OptionalDouble maxSpotUsdPerHour,
    Optional<String> group) {
  /** EC2's own limit. */
  private static final int LONGEST_TOKEN = 64;

  public LaunchOrder {
    Check.text("token", token);
    Check.that(token.length() <= LONGEST_TOKEN, "the token is longer than EC2 takes: " + token);
    tags = Map.copyOf(tags);
  }

  /** An instance that may stand anywhere. */
  public LaunchOrder(
      String token,
      String type,
      Market market,
      Optional<String> zone,
      RegionSettings settings,
      Map<String, String> tags,
      String userData,
      OptionalDouble maxSpotUsdPerHour) {
    this(token, type, market, zone, settings, tags, userData, maxSpotUsdPerHour, Optional.empty());
  }

  /** Names neither the script nor the tags: both are long. */
  @Override
  public String toString() {
    return "LaunchOrder[" + token + ", " + type + ", " + market.word() + ", " + zone + "]";
  }
}
