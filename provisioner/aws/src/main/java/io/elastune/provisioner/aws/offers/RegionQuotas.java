package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.remote.ParallelCalls;
import io.elastune.provisioner.remote.PartialQuery;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Queries what is left of the quotas that count the offers of a region. */
final class RegionQuotas {
  private final String region;
  private final AccountApi account;
  private final PartialQuery parts;

  RegionQuotas(String region, AccountApi account, PartialQuery parts) {
    this.region = region;
    this.account = account;
    this.parts = parts;
  }

  /** Queries all quotas at the same time. */
  List<Quota> of(List<Offer> offers, Map<String, GpuType> types) {
    Map<VcpuQuota, Map<String, Integer>> uses = new EnumMap<>(VcpuQuota.class);
    for (Offer offer : offers) {
      Optional<GpuType> type = Optional.ofNullable(types.get(offer.instanceType()));
      Optional<VcpuQuota> quota = VcpuQuota.of(offer.instanceType(), offer.market());
      if (type.isPresent() && quota.isPresent()) {
        uses.computeIfAbsent(quota.get(), q -> new TreeMap<>())
            .put(offer.name(), type.get().vcpus());
      }
    }
    return ParallelCalls.map(List.copyOf(uses.entrySet()), e -> quota(e.getKey(), e.getValue()))
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Quota> quota(VcpuQuota quota, Map<String, Integer> uses) {
    Optional<Integer> limit =
        parts.query(
            "Quotas of " + region,
            "plans do not take account of "
                + quota.text()
                + "; see 'elastune check' and Service Quotas",
            () -> account.quotaLimit(quota));
    return limit.map(vcpus -> left(quota, vcpus, uses));
  }

  private Quota left(VcpuQuota quota, int limit, Map<String, Integer> uses) {
    int used =
        parts
            .query(
                "vCPUs in use in " + region,
                "plans assume that quotas are unused",
                () -> account.quotaUsage(quota))
            .orElse(0);
    return new Quota(
        quota.title() + " in " + region + (used > 0 ? " (" + used + " in use)" : ""),
        "vCPU",
        Math.max(0, limit - used),
        uses);
  }
}
