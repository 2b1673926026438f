package io.elastune.provisioner;

import io.elastune.core.Check;
import io.elastune.core.offer.Offer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * One instance to be rented.
 *
 * @param run the run's id
 * @param lease the lease's id, unique over all runs: the idempotency token
 * @param offer what to rent
 * @param setup what to run on it before it counts as ready
 * @param tags all tags, the four {@link Tags} included
 * @param deadMan silence after which the instance ends itself
 * @param near whether it should stand near the run's other instances: trials span several
 */
public record LeaseRequest(
    String run,
    String lease,
    Offer offer,
    Optional<NodeSetup> setup,
    Map<String, String> tags,
    Duration deadMan,
    boolean near) {
  public LeaseRequest {
    Check.text("run", run);
    Check.text("lease", lease);
    tags = Map.copyOf(tags);
    for (String tag : Tags.ALL) {
      Check.that(tags.containsKey(tag), "the tag " + tag + " is missing");
    }
  }

  /** An instance that may stand anywhere. */
  public LeaseRequest(
      String run,
      String lease,
      Offer offer,
      Optional<NodeSetup> setup,
      Map<String, String> tags,
      Duration deadMan) {
    this(run, lease, offer, setup, tags, deadMan, false);
  }
}
