package io.elastune.provisioner.aws.cloud;

import java.time.Duration;

/**
 * The polling intervals, timeouts and rate limits for EC2.
 *
 * @param look time between two lists while operations are pending
 * @param calmLook time between two lists while all instances are ready
 * @param again time between two termination requests for the same instance, and before retries
 * @param settle the longest assumed time until EC2's lists are consistent: an instance not listed
 *     for this long does not exist
 * @param boot time within which a running node must report that it is ready
 * @param remember time for which a zone without capacity is not tried again
 * @param renew time between two renewals of the expiry tag
 * @param backOff pause of launches after EC2 has throttled one
 * @param burst number of launches without delay
 * @param launchesPerSecond sustained launch rate
 */
public record Pace(
    Duration look,
    Duration calmLook,
    Duration again,
    Duration settle,
    Duration boot,
    Duration remember,
    Duration renew,
    Duration backOff,
    double burst,
    double launchesPerSecond) {
  /** The values for the real EC2; burst and rate are its limits for {@code RunInstances}. */
  public static final Pace REAL =
      new Pace(
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
