package io.elastune.provisioner;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An instance with our tags, as the cloud lists it.
 *
 * @param provider the kind of cloud
 * @param id the cloud's name for it
 * @param run from its tags, as are owner and expires; empty if the tag is missing
 * @param expires after which its controller is taken to be dead; empty if that cannot be read
 * @param usdPerHour its list price, where it is known without asking
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
  /** Whether nobody looks after it any more; without a time to be read, nobody does. */
  public boolean isExpired(Instant now) {
    return expires.map(time -> !now.isBefore(time)).orElse(true);
  }
}
