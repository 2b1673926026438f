package io.elastune.provisioner.gcp.offers;

import io.elastune.core.Preconditions;
import java.util.List;

/**
 * A row of the shipped machine type table.
 *
 * @param gpu the GPU model, by its name in profiles
 * @param vcpus the number of vCPUs
 * @param ramGb memory in GB
 * @param leastUsdPerGpu the lowest on-demand price per GPU of the model in any region and type, in
 *     USD per hour; 0 if unknown
 */
record ShippedType(
    String name, String gpu, int gpus, int vcpus, double ramGb, double leastUsdPerGpu) {
  public ShippedType {
    Preconditions.text("name", name);
    Preconditions.text("gpu", gpu);
    Preconditions.atLeast("gpus", 1, gpus);
  }

  static ShippedType parse(List<String> cells) {
    return new ShippedType(
        cells.get(0),
        cells.get(1),
        Integer.parseInt(cells.get(2)),
        Integer.parseInt(cells.get(3)),
        Double.parseDouble(cells.get(4)),
        Double.parseDouble(cells.get(5)));
  }
}
