package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.properties.Tier;
import io.elastune.executor.ray.RayCluster;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster without nodes, to which Ray's own autoscaler adds those that requests need. */
@Tag(Tier.NIGHTLY)
class RayAutoscalerIT {
  private static final String PLACE = "ray/lab";
  private static final String RUN = "scaled-20261129-0001";
  private static final int NODE_GPUS = 4;

  @TempDir private Path folder;

  private static LeaseRequest wholeNode(int number) {
    String lease = RUN + "-" + number;
    Map<String, String> tags =
        Map.of(Tags.RUN, RUN, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1795000000");
    return new LeaseRequest(RUN, lease, offer(), Optional.empty(), tags, Duration.ofSeconds(60));
  }

  private static Offer offer() {
    return new Offer(
        PLACE,
        "node",
        "any",
        NODE_GPUS,
        Market.ON_DEMAND,
        1,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        0);
  }

  private CloudContext context(RayCluster cluster, String python) throws Exception {
    Path settings = folder.resolve("clouds.yaml");
    Files.writeString(
        settings,
        """
        ray:
          lab:
            address: "%s"
            python: %s
            node_start: 10m
            acceptance: {skip: [gpus, model, cuda]} # the GPUs are simulated
        """
            .formatted(cluster.address(), python));
    return new CloudContext(folder, settings, InstantSource.system());
  }

  @Test
  void pendingRequestsGetTheNodesOfAnAutoscaler() throws Exception {
    Optional<String> python = RayCluster.python();
    assumeTrue(python.isPresent(), "no Python with Ray");
    RayCluster cluster = RayCluster.startWithAutoscaler(python.get());
    try {
      CloudContext context = context(cluster, python.get());
      checkNamesWhatARequestWaitsFor(context);
      RecordedEvents events = new RecordedEvents();
      RunContext run =
          new RunContext(
              context,
              RUN,
              folder.resolve("run"),
              1,
              Duration.ofSeconds(60),
              List.of(offer()),
              Map.of());
      Cloud cloud = new RayCloudProvider().open(run, events);
      List<LeaseRequest> requests = List.of(wholeNode(1), wholeNode(2));
      requests.forEach(cloud::request);
      TestWait.until(
          () -> requests.stream().allMatch(r -> events.has(Ready.class, r.lease())), events);

      requests.forEach(
          request ->
              assertThat(events.types(request.lease()))
                  .containsExactly(Running.class, Ready.class));
      try (RayAccount account = new RayAccount(context)) {
        OfferCatalog offers = account.offers(List.of(PLACE));
        assertThat(offers.offers()).extracting(Offer::gpus).contains(NODE_GPUS);
        assertThat(offers.quotas()).as("the autoscaler may add more").isEmpty();
      }
      requests.forEach(request -> cloud.release(request.lease()));
      TestWait.until(
          () -> requests.stream().allMatch(r -> events.has(Terminated.class, r.lease())), events);
      assertThat(events.has(Refused.class, requests.get(0).lease())).isFalse();
      TestWait.until(() -> nodes(cluster) == 1, "the autoscaler removes idle nodes");
      cloud.close();
    } finally {
      cluster.close();
    }
  }

  private static int nodes(RayCluster cluster) {
    try {
      return Integer.parseInt(cluster.query("sum(n['Alive'] for n in ray.nodes())"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void checkNamesWhatARequestWaitsFor(CloudContext context) {
    try (RayAccount account = new RayAccount(context)) {
      List<CheckResult> results =
          account.check(new CapacityRequest(List.of(PLACE), List.of(offer()), 1));
      assertThat(results.get(1).outcome()).isEqualTo(CheckResult.Outcome.UNKNOWN);
      assertThat(results.get(1).detail()).isEqualTo("no node has 4 GPUs; a request waits 10m");
    }
  }
}
