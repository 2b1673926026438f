package io.elastune.provisioner.gcp.cloud;

import java.time.Duration;

/**
 * Polling intervals, timeouts and rate limits for Compute Engine.
 *
 * @param look the polling interval while an operation is in progress
 * @param noticeLook the polling interval while all instances are ready and some are spot: Google
 *     gives 30 seconds' notice
 * @param calmLook the polling interval while all instances are ready
 * @param again the interval between two requests to delete the same instance
 * @param settle the longest assumed delay until Google lists a change: an instance that is not
 *     listed for this long does not exist
 * @param boot the time limit from running to ready
 * @param remember how long a zone without capacity is skipped
 * @param renew the interval between two renewals of the expiry of nodes
 * @param backOff how long calls pause after Google has throttled one
 * @param burst the burst size of each rate limit, in calls
 * @param callsPerSecond the sustained rate of each rate limit: one for calls that change resources,
 *     one for calls that read
 */
public record Pace(
    Duration look,
    Duration noticeLook,
    Duration calmLook,
    Duration again,
    Duration settle,
    Duration boot,
    Duration remember,
    Duration renew,
    Duration backOff,
    double burst,
    double callsPerSecond) {
  /**
   * The values for Google Cloud. The rate is about half of Google's limit for each group of calls
   * in a region, 1,500 per minute.
   */
  public static final Pace REAL =
      new Pace(
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
