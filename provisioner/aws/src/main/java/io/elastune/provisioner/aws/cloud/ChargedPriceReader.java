package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.PriceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the price that AWS charges for a running instance: on spot, the zone's price at the launch;
 * on demand, the region's price list, which is queried once. The job's discount is subtracted. A
 * price far below the planned one does not replace it: the budget would not stop the run.
 */
final class ChargedPriceReader {
  /** A lower price than this share of the planned one is taken for an error of the price list. */
  private static final double LEAST_SHARE = 0.2;

  private static final Logger LOG = LoggerFactory.getLogger(ChargedPriceReader.class);

  private final RegionContext context;
  private Optional<Map<String, Double>> onDemand = Optional.empty();
  private boolean queryPending;

  /** Leases that wait for the price list. */
  private final List<TrackedLease> waiting = new ArrayList<>();

  ChargedPriceReader(RegionContext context) {
    this.context = context;
  }

  void read(TrackedLease trackedLease, Ec2Instance seen) {
    if (seen.market() == Market.SPOT) {
      context
          .asyncCaller()
          .call(
              () -> context.ec2().spotUsdPerHour(seen.type(), seen.zone(), seen.launched()),
              usd -> usd.ifPresent(price -> report(trackedLease, seen, price)),
              failure -> logFailure(seen.id(), failure));
    } else {
      waiting.add(trackedLease);
      onDemand();
    }
  }

  private void onDemand() {
    if (onDemand.isPresent()) {
      reportWaiting(onDemand.get());
    } else if (!queryPending) {
      queryPending = true;
      context.asyncCaller().call(this::list, this::listed, this::notListed);
    }
  }

  private Map<String, Double> list() {
    try (PriceList list = context.prices().get()) {
      return list.onDemand();
    }
  }

  private void listed(Map<String, Double> prices) {
    queryPending = false;
    onDemand = Optional.of(prices);
    reportWaiting(prices);
  }

  /** Handles a failed query; the next instance that runs triggers a new one. */
  private void notListed(CloudFailure failure) {
    queryPending = false;
    waiting.forEach(
        trackedLease -> trackedLease.instance().ifPresent(seen -> logFailure(seen.id(), failure)));
    waiting.clear();
  }

  private void reportWaiting(Map<String, Double> prices) {
    for (TrackedLease trackedLease : waiting) {
      trackedLease
          .instance()
          .ifPresent(
              seen ->
                  Optional.ofNullable(prices.get(seen.type()))
                      .ifPresent(usd -> report(trackedLease, seen, usd)));
    }
    waiting.clear();
  }

  private void report(TrackedLease trackedLease, Ec2Instance seen, double listUsd) {
    double planned = trackedLease.request().map(LeaseRequest::listUsdPerHour).orElse(0.0);
    if (listUsd < LEAST_SHARE * planned) {
      LOG.warn(
          "AWS reports {} USD/h for {} ({}), planned at {} USD/h; the planned price is counted",
          listUsd,
          seen.id(),
          seen.type(),
          planned);
      return;
    }
    double discount = trackedLease.request().map(LeaseRequest::discount).orElse(0.0);
    context.emit(
        new CloudEvent.Priced(trackedLease.lease(), listUsd * (1 - discount), seen.launched()));
  }

  private static void logFailure(String id, CloudFailure failure) {
    LOG.warn("Reading the charged price of {} failed: {}", id, failure.message());
  }
}
