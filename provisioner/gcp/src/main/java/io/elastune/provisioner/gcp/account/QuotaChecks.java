package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GpuFamilyQuotas;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.ProjectApi.QuotaLimit;
import io.elastune.provisioner.gcp.model.ProjectServices;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares quotas with the GPUs that a run may hold. Compute Engine reports limit and usage of most
 * GPU models, and Cloud Quotas the limit of newer families, without their usage.
 */
final class QuotaChecks {
  private static final String CONSOLE =
      "see 'GPUs per GPU family per region' at https://console.cloud.google.com/iam-admin/quotas";

  private final ProjectServices services;
  private final int instances;
  private @Nullable GpuFamilyQuotas families;

  /**
   * Creates the checks.
   *
   * @param instances how many instances the run may hold at once
   */
  QuotaChecks(ProjectServices services, int instances) {
    this.services = services;
    this.instances = instances;
  }

  /** Returns the checks of the offers of a region. */
  List<CheckResult> ofRegion(String region, List<Offer> offers, Map<String, QuotaLimit> allowed) {
    Map<String, Offer> largest = new TreeMap<>();
    offers.forEach(
        offer ->
            largest.merge(metric(offer, allowed), offer, (a, b) -> a.gpus() < b.gpus() ? b : a));
    return largest.entrySet().stream()
        .map(
            entry -> {
              String check = "quota " + entry.getKey();
              int need = instances * entry.getValue().gpus();
              return Optional.ofNullable(allowed.get(entry.getKey()))
                  .map(limit -> compared(check, limit, need))
                  .orElseGet(() -> unlisted(check, region, entry.getValue(), need));
            })
        .toList();
  }

  /** Returns the check of the quota on GPUs over all regions. */
  CheckResult ofProject(List<Offer> offers, Map<String, QuotaLimit> allowed) {
    String check = "quota " + GpuModels.ALL_REGIONS;
    int need = instances * offers.stream().mapToInt(Offer::gpus).max().orElse(0);
    return Optional.ofNullable(allowed.get(GpuModels.ALL_REGIONS))
        .map(limit -> compared(check, limit, need))
        .orElseGet(
            () ->
                CheckResult.unknown(
                    check,
                    "Compute Engine does not report this quota; up to " + need + " GPUs are needed",
                    CONSOLE));
  }

  /** Returns the metric of Compute Engine if it reports one, otherwise the family. */
  private static String metric(Offer offer, Map<String, QuotaLimit> allowed) {
    String metric = GpuModels.gpuQuota(offer.gpu(), offer.market());
    return allowed.containsKey(metric) || offer.market() == Market.SPOT
        ? metric
        : GpuModels.gpuFamily(offer.gpu(), offer.instanceType());
  }

  private CheckResult compared(String check, QuotaLimit allowed, int need) {
    String text =
        "%d GPUs allowed, %d in use, up to %d needed for %d instances"
            .formatted((int) allowed.limit(), (int) allowed.used(), need, instances);
    return allowed.limit() - allowed.used() >= need
        ? CheckResult.passed(check, text)
        : GcpRemedies.REMEDIES.result(check, new CloudFailure.QuotaExceeded(text));
  }

  /** Checks a quota that Compute Engine does not report. */
  private CheckResult unlisted(String check, String region, Offer offer, int need) {
    String needed = "up to " + need + " GPUs are needed";
    if (offer.market() == Market.SPOT) {
      return CheckResult.unknown(
          check,
          "Compute Engine does not report this quota; " + needed + ", and the default is 0",
          CONSOLE);
    }
    String family = GpuModels.gpuFamily(offer.gpu(), offer.instanceType());
    OptionalDouble limit;
    try {
      limit = families().limit(family, region);
    } catch (CloudException e) {
      return CheckResult.unknown(
          check,
          needed
              + ", and the default is 0; Compute Engine does not report this quota, and Cloud"
              + " Quotas failed: "
              + e.failure().message(),
          CONSOLE);
    }
    if (limit.isEmpty()) {
      return CheckResult.unknown(
          check, "neither Compute Engine nor Cloud Quotas reports this quota; " + needed, CONSOLE);
    }
    return limited(check, limit.getAsDouble(), need);
  }

  /** Without the usage, a limit can only prove that the quota is too small. */
  private CheckResult limited(String check, double limit, int need) {
    if (limit == Double.POSITIVE_INFINITY) {
      return CheckResult.passed(check, "unlimited");
    }
    String text =
        "%d GPUs allowed, up to %d needed for %d instances".formatted((int) limit, need, instances);
    return limit < need
        ? GcpRemedies.REMEDIES.result(check, new CloudFailure.QuotaExceeded(text))
        : CheckResult.unknown(
            check, text + "; Google does not report how many are in use", CONSOLE);
  }

  private GpuFamilyQuotas families() {
    GpuFamilyQuotas known = families;
    if (known == null) {
      known = services.gpuFamilyQuotas();
      families = known;
    }
    return known;
  }
}
