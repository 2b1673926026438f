package io.elastune.provisioner;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An Elastune instance, as the cloud lists it.
 *
 * @param provider the cloud provider
 * @param id the cloud's id of the instance
 * @param run the run in its tags; empty if the tag is missing, as for owner and expires
 * @param expires the time after which no controller manages it; empty if it cannot be read
 * @param usdPerHour its list price, if known without a remote call
 */
public record TaggedInstance(
    String provider,
    String region,
    String id,
    String instanceType,
    String run,
    String owner,
    Optional<Instant> expires,
    OptionalDouble usdPerHour) {
  /** Returns whether its expiry has passed; an instance without a readable expiry is expired. */
  public boolean isExpired(Instant now) {
    return expires.map(time -> !now.isBefore(time)).orElse(true);
  }
}
