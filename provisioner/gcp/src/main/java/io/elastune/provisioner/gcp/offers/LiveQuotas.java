package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.GpuFamilyQuotas;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.remote.Location;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Determines what the quotas of a project leave for offers. */
final class LiveQuotas {
  private LiveQuotas() {}

  /** Returns the quota over all regions; empty if the project has none. */
  static Optional<Quota> ofProject(Map<String, ProjectApi.QuotaLimit> allowed, List<Offer> offers) {
    Map<String, Integer> all =
        offers.stream().collect(Collectors.toMap(Offer::name, Offer::gpus, (a, b) -> a));
    return Optional.ofNullable(allowed.get(GpuModels.ALL_REGIONS))
        .filter(limit -> !all.isEmpty())
        .map(limit -> quota(GpuModels.ALL_REGIONS, "GPU", limit, all));
  }

  /** Returns the quotas of a region that count its offers. */
  static List<Quota> ofRegion(RegionQuery region, List<Offer> all) {
    if (region.quotas().isEmpty()) {
      return List.of();
    }
    List<Offer> offers = in(region, all);
    Map<String, ProjectApi.QuotaLimit> allowed = region.quotas().get();
    List<Quota> quotas = new ArrayList<>();
    gpuUses(offers)
        .forEach((metric, uses) -> add(quotas, metric, region.region(), "GPU", allowed, uses));
    cpuUses(offers, region.types().orElse(Map.of()).keySet(), allowed)
        .forEach((metric, uses) -> add(quotas, metric, region.region(), "vCPU", allowed, uses));
    return quotas;
  }

  /** Returns the offers whose GPUs only Cloud Quotas counts. */
  static List<Offer> ofFamilies(RegionQuery region, List<Offer> all) {
    return in(region, all).stream()
        .filter(offer -> offer.market() == Market.ON_DEMAND)
        .filter(
            offer ->
                region
                    .quotas()
                    .filter(
                        known ->
                            !known.containsKey(GpuModels.gpuQuota(offer.gpu(), offer.market())))
                    .isPresent())
        .toList();
  }

  /**
   * Returns the limits of GPU families in a region. Their usage is unknown, so it is not deducted.
   */
  static List<Quota> ofFamilies(RegionQuery region, List<Offer> all, GpuFamilyQuotas families) {
    Map<String, Map<String, Integer>> uses = new TreeMap<>();
    ofFamilies(region, all)
        .forEach(
            offer ->
                uses.computeIfAbsent(
                        GpuModels.gpuFamily(offer.gpu(), offer.instanceType()),
                        family -> new LinkedHashMap<>())
                    .put(offer.name(), offer.gpus()));
    List<Quota> quotas = new ArrayList<>();
    uses.forEach(
        (family, gpus) ->
            families
                .limit(family, region.region())
                .ifPresent(
                    limit -> {
                      if (limit < Double.POSITIVE_INFINITY) {
                        String name = family + " in " + region.region() + " (usage unknown)";
                        quotas.add(new Quota(name, "GPU", (int) limit, gpus));
                      }
                    }));
    return quotas;
  }

  private static List<Offer> in(RegionQuery region, List<Offer> all) {
    return all.stream()
        .filter(
            offer ->
                Location.parse(Gcp.PROVIDER, offer.infra())
                    .filter(place -> place.region().equals(region.region()))
                    .isPresent())
        .toList();
  }

  private static Map<String, Map<String, Integer>> gpuUses(List<Offer> offers) {
    Map<String, Map<String, Integer>> gpus = new TreeMap<>();
    offers.forEach(
        offer ->
            gpus.computeIfAbsent(
                    GpuModels.gpuQuota(offer.gpu(), offer.market()), m -> new LinkedHashMap<>())
                .put(offer.name(), offer.gpus()));
    return gpus;
  }

  private static Map<String, Map<String, Integer>> cpuUses(
      List<Offer> offers, Collection<GpuType> types, Map<String, ProjectApi.QuotaLimit> allowed) {
    Map<String, Map<String, Integer>> cpus = new TreeMap<>();
    for (Offer offer : offers) {
      Optional<GpuType> type =
          types.stream().filter(some -> some.name().equals(offer.instanceType())).findFirst();
      Optional<String> metric = cpuQuota(offer, allowed);
      if (type.isPresent() && metric.isPresent()) {
        cpus.computeIfAbsent(metric.get(), some -> new LinkedHashMap<>())
            .put(offer.name(), type.get().vcpus());
      }
    }
    return cpus;
  }

  /**
   * Returns the metric of the vCPU quota: that of the family, for N1 otherwise the general one of
   * older families, otherwise none.
   */
  private static Optional<String> cpuQuota(
      Offer offer, Map<String, ProjectApi.QuotaLimit> allowed) {
    boolean attached = MachineShape.of(offer.instanceType()).accelerator().isPresent();
    return GpuModels.cpuQuotas(offer.instanceType(), Market.ON_DEMAND).stream()
        .limit(attached ? 2 : 1)
        .filter(allowed::containsKey)
        .findFirst();
  }

  private static void add(
      List<Quota> quotas,
      String metric,
      String region,
      String unit,
      Map<String, ProjectApi.QuotaLimit> allowed,
      Map<String, Integer> uses) {
    Optional.ofNullable(allowed.get(metric))
        .ifPresent(limit -> quotas.add(quota(metric + " in " + region, unit, limit, uses)));
  }

  /** Returns what is left of a quota. */
  private static Quota quota(
      String name, String unit, ProjectApi.QuotaLimit quota, Map<String, Integer> uses) {
    int used = (int) Math.ceil(quota.used());
    return new Quota(
        name + (used > 0 ? " (" + used + " in use)" : ""),
        unit,
        Math.max(0, (int) quota.limit() - used),
        uses);
  }
}
