package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Offer;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A request to rent one instance.
 *
 * @param run the id of the run
 * @param lease the id of the lease, unique over all runs: the idempotency token
 * @param offer what to rent, at the discounted price
 * @param setup what to run on the instance before it is ready
 * @param tags all tags, the four {@link Tags} included
 * @param deadMan time without contact after which the instance shuts itself down
 * @param near whether to place it close to the run's other instances, because trials span several
 * @param discount the fraction by which the account pays less than the cloud's list price
 * @param longest a time after which the run is expected to have ended long ago, if it is known: a
 *     cloud that can delete an instance by itself does so after this time
 * @param requestedAt when an earlier controller requested it, if the cloud has not reported it as
 *     running since; empty for a new request
 */
@RecordBuilder
public record LeaseRequest(
    String run,
    String lease,
    Offer offer,
    Optional<NodeSetup> setup,
    Map<String, String> tags,
    Duration deadMan,
    boolean near,
    double discount,
    Optional<Duration> longest,
    Optional<Instant> requestedAt) {
  public LeaseRequest {
    Preconditions.text("run", run);
    Preconditions.text("lease", lease);
    tags = Map.copyOf(tags);
    Preconditions.fraction("discount", discount);
    for (String tag : Tags.ALL) {
      Preconditions.that(tags.containsKey(tag), "the tag " + tag + " is missing");
    }
  }

  /** Returns this request with another setup of the instance. */
  public LeaseRequest withSetup(NodeSetup other) {
    return LeaseRequestBuilder.builder(this).setup(Optional.of(other)).build();
  }

  /** Returns the list price before the discount, in USD per hour. */
  public double listUsdPerHour() {
    return discount < 1 ? offer.usdPerHour() / (1 - discount) : offer.usdPerHour();
  }

  /** Creates a request at list price, for an instance that can be placed anywhere. */
  public LeaseRequest(
      String run,
      String lease,
      Offer offer,
      Optional<NodeSetup> setup,
      Map<String, String> tags,
      Duration deadMan) {
    this(run, lease, offer, setup, tags, deadMan, false, 0);
  }

  /** Creates a request of a run whose end is not known. */
  public LeaseRequest(
      String run,
      String lease,
      Offer offer,
      Optional<NodeSetup> setup,
      Map<String, String> tags,
      Duration deadMan,
      boolean near,
      double discount) {
    this(
        run,
        lease,
        offer,
        setup,
        tags,
        deadMan,
        near,
        discount,
        Optional.empty(),
        Optional.empty());
  }
}
