package io.elastune.provisioner;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Creates lease requests for tests. */
public final class SampleLeaseRequests {
  public static final String RUN = "test-20261121-ab12";

  private SampleLeaseRequests() {}

  /** Returns a request for an instance with one GPU at 1 USD per hour. */
  public static LeaseRequest of(
      String lease, String infra, String type, String gpu, Market market) {
    Offer offer =
        new Offer(
            infra,
            type,
            gpu,
            1,
            market,
            1,
            PriceKind.LIST,
            new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
            Spread.exactly(17),
            Spread.exactly(46),
            0,
            0,
            1);
    Map<String, String> tags =
        Map.of(Tags.RUN, RUN, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1795000000");
    return new LeaseRequest(RUN, lease, offer, Optional.empty(), tags, Duration.ofMinutes(15));
  }

  public static LeaseRequest withSetup(LeaseRequest some, NodeSetup setup) {
    return new LeaseRequest(
        some.run(), some.lease(), some.offer(), Optional.of(setup), some.tags(), some.deadMan());
  }

  public static LeaseRequest withDeadMan(LeaseRequest some, Duration deadMan) {
    return new LeaseRequest(
        some.run(), some.lease(), some.offer(), some.setup(), some.tags(), deadMan);
  }

  /** Returns the same request for a trial that spans several instances. */
  public static LeaseRequest near(LeaseRequest some) {
    return copy(some, some.offer(), true, some.discount());
  }

  /** Returns the request with a discount. */
  public static LeaseRequest discounted(LeaseRequest some, double discount) {
    return copy(some, some.offer().discounted(discount), some.near(), discount);
  }

  /** Returns the request of a run that has ended long ago after {@code longest}. */
  public static LeaseRequest limited(LeaseRequest some, Duration longest) {
    return with(some, Optional.of(longest), Optional.empty());
  }

  /** Returns the request that an earlier controller made at {@code asked}. */
  public static LeaseRequest requestedAt(LeaseRequest some, Instant asked) {
    return with(some, some.longest(), Optional.of(asked));
  }

  private static LeaseRequest with(
      LeaseRequest some, Optional<Duration> longest, Optional<Instant> asked) {
    return new LeaseRequest(
        some.run(),
        some.lease(),
        some.offer(),
        some.setup(),
        some.tags(),
        some.deadMan(),
        some.near(),
        some.discount(),
        longest,
        asked);
  }

  private static LeaseRequest copy(LeaseRequest some, Offer offer, boolean near, double discount) {
    return new LeaseRequest(
        some.run(), some.lease(), offer, some.setup(), some.tags(), some.deadMan(), near, discount);
  }
}
