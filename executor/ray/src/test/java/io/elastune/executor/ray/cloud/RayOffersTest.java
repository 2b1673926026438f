package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RayOffersTest {
  private static final String NODES =
      """
      [{"ip": "10.0.0.1", "alive": true, "resources": {"CPU": 8.0, "memory": 1e9}},
       {"ip": "10.0.0.2", "alive": true,
        "resources": {"CPU": 32.0, "GPU": 4.0, "accelerator_type:V100": 1.0}},
       {"ip": "10.0.0.3", "alive": true,
        "resources": {"CPU": 32.0, "GPU": 4.0, "accelerator_type:V100": 1.0}},
       {"ip": "10.0.0.4", "alive": true, "resources": {"CPU": 1.0, "GPU": 3.0}},
       {"ip": "10.0.0.5", "alive": false, "resources": {"GPU": 8.0}},
       {"ip": "10.0.0.6", "alive": true, "draining": true, "resources": {"GPU": 8.0}}]
      """;

  private final List<ClusterNode> nodes = ClusterNode.parse(NODES.getBytes(StandardCharsets.UTF_8));
  private final OfferCatalog catalog = RayOffers.of("ray/lab", nodes, "2026-11-20T10:00:00Z");

  @Test
  void offersPartsOfNodes() {
    assertThat(catalog.offers())
        .extracting(Offer::name)
        .containsExactly(
            "ray/lab/1xgpu/on-demand",
            "ray/lab/2xgpu/on-demand",
            "ray/lab/3xgpu/on-demand",
            "ray/lab/1xv100/on-demand",
            "ray/lab/2xv100/on-demand",
            "ray/lab/4xv100/on-demand",
            "ray/lab/core/on-demand");
    assertThat(catalog.offers()).allMatch(offer -> offer.price() == PriceKind.NOTIONAL);
  }

  @Test
  void numberOfGpusIsAQuota() {
    assertThat(catalog.quotas())
        .extracting(quota -> quota.name() + " " + quota.limit())
        .containsExactly("GPUs of ray/lab 3", "V100 GPUs of ray/lab 8", "CPUs of ray/lab 8");
    assertThat(catalog.quotas().get(1).maxInstances("ray/lab/4xv100/on-demand")).isEqualTo(2);
  }

  @Test
  void leaseReservesItsModel() {
    Offer four = catalog.find("ray/lab/4xv100/on-demand").orElseThrow();
    Offer core = catalog.find("ray/lab/core/on-demand").orElseThrow();

    assertThat(RayOffers.placement(four, nodes).gpus()).isEqualTo(4);
    assertThat(RayOffers.placement(four, nodes).cpus()).isEqualTo(4);
    assertThat(RayOffers.placement(four, nodes).resources())
        .isEqualTo(Map.of("accelerator_type:V100", 0.001));
    assertThat(RayOffers.placement(core, nodes).gpus()).isZero();
    assertThat(RayOffers.placement(core, nodes).cpus()).isEqualTo(1);
  }
}
