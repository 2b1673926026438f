package io.elastune.provisioner.aws.account;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a region has, and what it costs. Each method waits for its answer.
 *
 * @implSpec every method throws {@link io.elastune.provisioner.CloudException} with what went wrong
 */
public interface PriceList extends AutoCloseable {
  /** The region's instance types with whole GPUs. */
  List<GpuType> gpuTypes();

  /** The zones that have them, by instance type. */
  Map<String, Set<String>> zones();

  /** USD per hour on demand (Linux, shared hardware), by instance type with GPUs. */
  Map<String, Double> onDemand();

  /** What these types cost on spot (Linux), zone by zone. */
  List<SpotPrice> spot(Collection<String> types);

  @Override
  void close();
}
