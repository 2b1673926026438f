package io.elastune.executor.ray.acceptance;

import io.elastune.core.time.Seconds;
import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides whether the disk and the clock of a node are usable. */
final class NodeRules {
  /** Signed URLs and the order of events depend on clocks that agree. */
  private static final Duration MOST_DIFFERENCE = Duration.ofSeconds(5);

  private static final double GIGABYTE = 1e9;

  private NodeRules() {}

  /**
   * Returns the problem of a clock; empty if there is none.
   *
   * @param reported the time of the node, which it reported between two times of the controller
   */
  static Optional<AcceptanceProblem> clock(
      Instant sent, Instant reported, Instant received, CheckedNodes nodes) {
    boolean behind = reported.isBefore(sent.minus(MOST_DIFFERENCE));
    boolean ahead = reported.isAfter(received.plus(MOST_DIFFERENCE));
    if (!behind && !ahead) {
      return Optional.empty();
    }
    double seconds = Math.abs(Seconds.between(ahead ? received : sent, reported));
    return Optional.of(
        new AcceptanceProblem(
            NodeCheck.CLOCK,
            "its clock is %.0f s %s that of the controller, more than %d s. Enable time synchronization on the controller and %s"
                .formatted(
                    seconds,
                    ahead ? "ahead of" : "behind",
                    MOST_DIFFERENCE.toSeconds(),
                    nodes.software()),
            Repetition.WHILE_WAITING));
  }

  /**
   * Returns the problem of a disk; empty if there is none.
   *
   * @param free its free space, in bytes
   * @param least the required space, in bytes
   */
  static Optional<AcceptanceProblem> disk(long free, long least, CheckedNodes nodes) {
    return free >= least
        ? Optional.empty()
        : Optional.of(
            new AcceptanceProblem(
                NodeCheck.DISK,
                "%.1f GB of its disk are free, less than the %.1f GB of %s. %s"
                    .formatted(
                        free / GIGABYTE,
                        least / GIGABYTE,
                        nodes.setting("min_free_disk"),
                        nodes.areShared()
                            ? "Free space where docs/ray.md puts the files of a lease"
                            : "Rent larger disks, or set rented_nodes.folder to a larger one in"
                                + " clouds.yaml"),
                Repetition.ONCE));
  }
}
