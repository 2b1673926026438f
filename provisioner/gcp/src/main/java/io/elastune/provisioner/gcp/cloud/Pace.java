package io.elastune.provisioner.gcp.cloud;

import java.time.Duration;

/**
 * How often Compute Engine is asked, and how long it is given.
 *
 * @param look between two looks while something is under way
 * @param noticeLook between two looks while everything is ready, and some of it on spot: Google
 *     gives 30 seconds' notice
 * @param calmLook between two looks while everything is ready
 * @param again between two orders to delete the same instance
 * @param settle how long Google is taken to need, at most, to show what it has done: only what it
 *     has not shown for so long was never there
 * @param boot how long a running node may take to tell that it is ready
 * @param remember how long a zone without capacity is not asked again
 * @param renew between two renewals of the time that keeps nodes alive
 * @param backOff how long nothing is changed after Google has said that we ask too often
 * @param burst calls of a kind that may follow each other at once
 * @param callsPerSecond calls of a kind (that change something, that read) in the long run
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
   * For the real one; half of what Google allows of each kind of call in a region: 1,500 a minute.
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
