package io.elastune.provisioner.gcp.fake;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;

/** The quotas of the fake's project. */
public final class FakeQuotas {
  private static final Map<String, String> GPU_METRICS =
      Map.of(
          "a2-highgpu", "NVIDIA_A100_GPUS",
          "a2-ultragpu", "NVIDIA_A100_80GB_GPUS",
          "g2-standard", "NVIDIA_L4_GPUS",
          "n1-standard", "NVIDIA_T4_GPUS");

  private final Map<String, Integer> limits = new TreeMap<>();

  FakeQuotas() {
    limits.put("CPUS", 1000);
    limits.put("NVIDIA_L4_GPUS", 1000);
    limits.put("NVIDIA_A100_GPUS", 16);
    limits.put("NVIDIA_T4_GPUS", 16);
    limits.put("PREEMPTIBLE_NVIDIA_L4_GPUS", 1000);
    limits.put("PREEMPTIBLE_NVIDIA_A100_GPUS", 16);
    limits.put("GPUS_ALL_REGIONS", 1000);
  }

  /** Sets the limit of a quota, by its metric. */
  public synchronized void limit(String metric, int most) {
    limits.put(metric, most);
  }

  synchronized Optional<String> exceededBy(FakeInstance vm, List<FakeInstance> up) {
    String metric = metric(vm);
    Integer limit = limits.get(metric);
    int held =
        up.stream().filter(other -> metric(other).equals(metric)).mapToInt(FakeTypes::gpus).sum();
    return limit != null && held + FakeTypes.gpus(vm) > limit
        ? Optional.of(
            "Quota '%s' exceeded.  Limit: %d.0 in region %s."
                .formatted(metric, limit, vm.zone.replaceAll("-[a-z]$", "")))
        : Optional.empty();
  }

  private static String metric(FakeInstance vm) {
    return (vm.isSpot() ? "PREEMPTIBLE_" : "")
        + GPU_METRICS.getOrDefault(vm.type().replaceAll("-[^-]*$", ""), "CPUS");
  }

  synchronized void write(ArrayNode list, boolean project, List<FakeInstance> up) {
    limits.forEach(
        (metric, limit) -> {
          if (metric.equals("GPUS_ALL_REGIONS") == project) {
            int used =
                up.stream()
                    .filter(vm -> project || metric(vm).equals(metric))
                    .mapToInt(FakeTypes::gpus)
                    .sum();
            list.addObject()
                .put("metric", metric)
                .put("limit", limit.doubleValue())
                .put("usage", (double) used);
          }
        });
  }
}
