package io.elastune.provisioner.gcp.testing;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.SampleLeaseRequests;

/** Creates lease requests for tests. */
public final class TestLeaseRequests {
  public static final String RUN = SampleLeaseRequests.RUN;

  private TestLeaseRequests() {}

  /** Returns a request for an on-demand g2-standard-4 at 1 USD per hour. */
  public static LeaseRequest of(String lease) {
    return of(lease, "gcp/us-central1", "g2-standard-4", Market.ON_DEMAND);
  }

  public static LeaseRequest of(String lease, String infra, String type, Market market) {
    return SampleLeaseRequests.of(lease, infra, type, "L4", market);
  }
}
