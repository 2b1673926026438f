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
 * @param offer what to rent, at the discounted price
 * @param setup what to run on it before it counts as ready
 * @param tags all tags, the four {@link Tags} included
 * @param deadMan silence after which the instance ends itself
 * @param near whether it should stand near the run's other instances: trials span several
 * @param discount the fraction by which the account pays less than the cloud's own price list says
 */
public record LeaseRequest(
    String run,
    String lease,
    Offer offer,
    Optional<NodeSetup> setup,
    Map<String, String> tags,
    Duration deadMan,
    boolean near,
    double discount) {
  public LeaseRequest {
    Check.text("run", run);
    Check.text("lease", lease);
    tags = Map.copyOf(tags);
    Check.fraction("discount", discount);
    for (String tag : Tags.ALL) {
      Check.that(tags.containsKey(tag), "the tag " + tag + " is missing");
    }
  }

  /** What one hour of it costs before the discount, USD. */
  public double listUsdPerHour() {
    return discount < 1 ? offer.usdPerHour() / (1 - discount) : offer.usdPerHour();
  }

  /** An instance that may stand anywhere, at the price list's price. */
  public LeaseRequest(
      String run,
      String lease,
      Offer offer,
      Optional<NodeSetup> setup,
      Map<String, String> tags,
      Duration deadMan) {
    this(run, lease, offer, setup, tags, deadMan, false, 0);
  }
}
