package io.elastune.provisioner.aws.cloud;

import java.time.Duration;

/**
 * The polling intervals, timeouts and rate limits for EC2.
 *
 * @param pollInterval time between two lists while operations are pending
 * @param idlePollInterval time between two lists while all instances are ready
 * @param retryInterval time between two termination requests for the same instance, and before
 *     retries
 * @param listingDelay the longest assumed time until EC2's lists are consistent: an instance not
 *     listed for this long does not exist
 * @param bootTimeout time within which a running node must report that it is ready
 * @param zoneCooldown time for which a zone without capacity is not tried again
 * @param renewalInterval time between two renewals of the expiry tag
 * @param throttlePause pause of launches after EC2 has throttled one
 * @param burst number of launches without delay
 * @param launchesPerSecond sustained launch rate
 */
public record PollingIntervals(
    Duration pollInterval,
    Duration idlePollInterval,
    Duration retryInterval,
    Duration listingDelay,
    Duration bootTimeout,
    Duration zoneCooldown,
    Duration renewalInterval,
    Duration throttlePause,
    double burst,
    double launchesPerSecond) {
  /** The values for the real EC2; burst and rate are its limits for {@code RunInstances}. */
  public static final PollingIntervals DEFAULT =
      new PollingIntervals(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(40),
          Duration.ofMinutes(20),
          Duration.ofMinutes(3),
          Duration.ofMinutes(5),
          Duration.ofSeconds(2),
          5,
          2);
}
