package io.elastune.executor.simulation;

import io.elastune.provisioner.LeaseRequest;

/**
 * Names the random stream of an instance. The name depends on the lease's number within its run and
 * not on the run's ID, which differs between executions: two runs with one seed draw the same.
 */
public final class LeaseStreams {
  private static final String SEPARATOR = "-";

  /** The names that leases have in rehearsals, so that recorded seeds keep their meaning. */
  private static final String PREFIX = "rehearsal" + SEPARATOR;

  private LeaseStreams() {}

  /** Returns the name for {@code lease} of {@code run}. */
  public static String name(String run, String lease) {
    String own = run + SEPARATOR;
    return lease.startsWith(own) ? PREFIX + lease.substring(own.length()) : lease;
  }

  static String name(LeaseRequest request) {
    return name(request.run(), request.lease());
  }
}
