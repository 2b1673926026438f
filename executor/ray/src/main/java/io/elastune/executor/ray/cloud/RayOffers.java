package io.elastune.executor.ray.cloud;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.executor.ray.link.LeasePlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The offers of a Ray cluster: 1, 2, 4 … or all GPUs of a node, or single CPUs of nodes without a
 * GPU. The prices are notional. The number of GPUs of each model is a quota.
 */
final class RayOffers {
  /** The GPU model of offers without a GPU, as on {@code local}. */
  static final String CPU = "cpu";

  /** The approximate cloud prices, for comparison only. Nothing is charged. */
  private static final double CPU_USD_PER_HOUR = 0.05;

  private static final double GPU_USD_PER_HOUR = 1;

  /** The model of GPUs whose model Ray does not know. */
  private static final String ANY_MODEL = "GPU";

  private final String infra;
  private final List<ClusterNode> nodes;
  private final Map<String, Offer> offers = new LinkedHashMap<>();
  private final List<Quota> quotas = new ArrayList<>();

  private RayOffers(String infra, List<ClusterNode> nodes) {
    this.infra = infra;
    this.nodes = nodes.stream().filter(node -> node.alive() && !node.draining()).toList();
  }

  /**
   * Returns the offers of a cluster.
   *
   * @param infra {@code ray/auto}, {@code ray/HOST:PORT} or {@code ray/NAME}
   * @param date an ISO instant
   */
  static OfferCatalog of(String infra, List<ClusterNode> nodes, String date) {
    RayOffers found = new RayOffers(infra, nodes);
    found.addGpus();
    found.addCpus();
    List<Offer> all = List.copyOf(found.offers.values());
    return new OfferCatalog("nodes of " + infra, date, all, found.quotas);
  }

  private void addGpus() {
    Map<String, List<ClusterNode>> byModel = new TreeMap<>();
    for (ClusterNode node : nodes) {
      if (node.gpus() > 0) {
        String model = node.accelerator().orElse(ANY_MODEL);
        byModel.computeIfAbsent(model, none -> new ArrayList<>()).add(node);
      }
    }
    byModel.forEach(this::addGpus);
  }

  private void addGpus(String model, List<ClusterNode> some) {
    int most = some.stream().mapToInt(ClusterNode::gpus).max().orElse(0);
    int cpus = some.stream().allMatch(node -> node.cpus() >= node.gpus()) ? 1 : 0;
    Map<String, Integer> uses = new TreeMap<>();
    for (int gpus = 1; gpus <= most; gpus = gpus < most ? Math.min(2 * gpus, most) : most + 1) {
      String type = gpus + "x" + model.toLowerCase(Locale.ROOT);
      uses.put(add(type, model, gpus, gpus * GPU_USD_PER_HOUR, cpus).name(), gpus);
    }
    int total = some.stream().mapToInt(ClusterNode::gpus).sum();
    String name = model.equals(ANY_MODEL) ? "GPUs" : model + " GPUs";
    quotas.add(new Quota(name + " of " + infra, "GPU", total, uses));
  }

  private void addCpus() {
    int total = nodes.stream().filter(n -> n.gpus() == 0).mapToInt(ClusterNode::cpus).sum();
    if (total > 0) {
      Offer core = add("core", CPU, 1, CPU_USD_PER_HOUR, 1);
      quotas.add(new Quota("CPUs of " + infra, "CPU", total, Map.of(core.name(), 1)));
    }
  }

  private Offer add(String type, String gpu, int gpus, double usdPerHour, int coresPerGpu) {
    Offer offer =
        new Offer(
            infra,
            type,
            gpu,
            gpus,
            Market.ON_DEMAND,
            usdPerHour,
            PriceKind.NOTIONAL,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.exactly(1),
            0,
            0,
            coresPerGpu);
    offers.put(offer.name(), offer);
    return offer;
  }

  /** Returns what a lease of an offer reserves on a cluster with these nodes. */
  static LeasePlacement placement(Offer offer, List<ClusterNode> nodes) {
    if (offer.hasGpu(CPU)) {
      double cpus = offer.gpus() * Math.max(1, offer.coresPerGpu());
      return LeasePlacement.onAnyNode(0, cpus, Map.of());
    }
    Map<String, Double> model =
        nodes.stream()
            .map(ClusterNode::accelerator)
            .flatMap(Optional::stream)
            .filter(offer::hasGpu)
            .findFirst()
            .map(name -> Map.of(ClusterNode.resource(name), 0.001))
            .orElse(Map.of());
    double cpus = (double) offer.gpus() * offer.coresPerGpu();
    return LeasePlacement.onAnyNode(offer.gpus(), cpus, model);
  }
}
