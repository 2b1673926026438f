package io.elastune.provisioner.aws.testing;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.SampleLeaseRequests;

/** Creates lease requests for tests. */
public final class TestLeaseRequests {
  public static final String RUN = SampleLeaseRequests.RUN;

  private TestLeaseRequests() {}

  /** Returns a request for an on-demand g5.xlarge at 1 USD per hour. */
  public static LeaseRequest of(String lease) {
    return of(lease, "aws/us-east-1", "g5.xlarge", Market.ON_DEMAND);
  }

  public static LeaseRequest of(String lease, String infra, String type, Market market) {
    return SampleLeaseRequests.of(lease, infra, type, "A10G", market);
  }
}
