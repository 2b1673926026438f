package io.elastune.provisioner.aws.model;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Queries the GPU instance types of a region and their prices. Each method blocks until AWS
 * responds.
 *
 * @implSpec every method throws {@link io.elastune.provisioner.CloudException} with the failure
 */
public interface PriceList extends AutoCloseable {
  /** Returns the region's instance types with whole GPUs. */
  List<GpuType> gpuTypes();

  /** Returns the zones that offer GPU types, by instance type. */
  Map<String, Set<String>> zones();

  /** Returns on-demand prices in USD per hour (Linux, shared hardware), by GPU instance type. */
  Map<String, Double> onDemand();

  /** Returns the spot prices (Linux) of these types, by zone. */
  List<SpotPrice> spot(Collection<String> types);

  @Override
  void close();
}
