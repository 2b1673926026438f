package io.elastune.provisioner.aws.cloud;

import java.time.Duration;

/**
 * How often EC2 is asked, and how long it is given.
 *
 * @param look between two looks while something is under way
 * @param calmLook between two looks while everything is ready
 * @param again between two orders to end the same instance
 * @param settle how long EC2 is taken to need, at most, to show everybody what it has done: only
 *     what it has not shown for so long was never there
 * @param boot how long a running node may take to tell that it is ready
 * @param remember how long a zone without capacity is not asked again
 * @param renew between two renewals of the tag that keeps nodes alive
 * @param backOff how long nothing is launched after EC2 has said that we ask too often
 * @param burst launches that may follow each other at once
 * @param launchesPerSecond launches allowed in the long run
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
  /** For the real EC2; burst and rate are its documented limits for {@code RunInstances}. */
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
