package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the cloud charges for running instances, one after the other, so that slow price lists
 * do not delay other calls. The job's discount is subtracted. A price far below the planned one
 * does not replace it: the budget would not stop the run. Used in the event loop only.
 */
final class ChargedPriceReader {
  /** A lower price than this share of the planned one is taken for an error of the price list. */
  private static final double LEAST_SHARE = 0.2;

  private static final Logger LOG = LoggerFactory.getLogger(ChargedPriceReader.class);

  private final LeaseContext context;
  private final Deque<Query> waiting = new ArrayDeque<>();
  private boolean queryPending;

  private record Query(TrackedLease lease, RemoteInstance instance) {}

  ChargedPriceReader(LeaseContext context) {
    this.context = context;
  }

  /** Reports the price of an instance as soon as it is known. */
  void read(TrackedLease lease, RemoteInstance instance) {
    waiting.add(new Query(lease, instance));
    readNext();
  }

  private void readNext() {
    Query query = queryPending ? null : waiting.poll();
    if (query == null) {
      return;
    }
    queryPending = true;
    context
        .asyncCaller()
        .call(
            () -> context.api().chargedUsdPerHour(query.instance()),
            found -> {
              found.ifPresent(usd -> report(query, usd));
              finish();
            },
            failure -> {
              LOG.warn(
                  "Reading the charged price of {} failed: {}",
                  query.instance().id(),
                  failure.message());
              finish();
            });
  }

  private void finish() {
    queryPending = false;
    readNext();
  }

  private void report(Query query, double listUsd) {
    double planned = query.lease().request().map(LeaseRequest::listUsdPerHour).orElse(0.0);
    if (listUsd < LEAST_SHARE * planned) {
      LOG.warn(
          "{} reports {} USD/h for {} ({}), planned at {} USD/h; the planned price is counted",
          context.api().cloudName(),
          listUsd,
          query.instance().id(),
          query.instance().type(),
          planned);
      return;
    }
    double discount = query.lease().request().map(LeaseRequest::discount).orElse(0.0);
    context.emit(
        new CloudEvent.Priced(
            query.lease().id(), listUsd * (1 - discount), query.instance().created()));
  }
}
