package io.elastune.provisioner.gcp.cloud;

import java.time.Duration;

/**
 * Polling intervals, timeouts and rate limits for Compute Engine.
 *
 * @param pollInterval the polling interval while an operation is in progress
 * @param spotPollInterval the polling interval while all instances are ready and some are spot:
 *     Google gives 30 seconds' notice
 * @param idlePollInterval the polling interval while all instances are ready
 * @param deleteRetryInterval the interval between two requests to delete the same instance
 * @param listingDelay the longest assumed delay until Google lists a change: an instance that is
 *     not listed for this long does not exist
 * @param bootTimeout the time limit from running to ready
 * @param zoneCooldown how long a zone without capacity is skipped
 * @param renewalInterval the interval between two renewals of the expiry of nodes
 * @param throttlePause how long calls pause after Google has throttled one
 * @param burst the burst size of each rate limit, in calls
 * @param callsPerSecond the sustained rate of each rate limit: one for calls that change resources,
 *     one for calls that read
 */
public record PollingIntervals(
    Duration pollInterval,
    Duration spotPollInterval,
    Duration idlePollInterval,
    Duration deleteRetryInterval,
    Duration listingDelay,
    Duration bootTimeout,
    Duration zoneCooldown,
    Duration renewalInterval,
    Duration throttlePause,
    double burst,
    double callsPerSecond) {
  /**
   * The values for Google Cloud. The rate is about half of Google's limit for each group of calls
   * in a region, 1,500 per minute.
   */
  public static final PollingIntervals DEFAULT =
      new PollingIntervals(
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(40),
          Duration.ofMinutes(20),
          Duration.ofMinutes(3),
          Duration.ofMinutes(5),
          Duration.ofSeconds(2),
          10,
          12);
}
