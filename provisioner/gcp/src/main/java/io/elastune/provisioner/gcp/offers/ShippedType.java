package io.elastune.provisioner.gcp.offers;

import io.elastune.core.Preconditions;
import java.util.List;

/**
 * A row of the shipped machine type table.
 *
 * @param gpu the GPU model, by its name in profiles
 * @param vcpus the number of vCPUs
 * @param ramGb memory in GB
 * @param queueS seconds from request to running, assumed
 * @param bootS seconds from running to ready, assumed
 */
record ShippedType(
    String name, String gpu, int gpus, int vcpus, double ramGb, double queueS, double bootS) {
  public ShippedType {
    Preconditions.text("name", name);
    Preconditions.text("gpu", gpu);
    Preconditions.atLeast("gpus", 1, gpus);
  }

  static ShippedType parse(String line) {
    List<String> cells = List.of(line.split(",", -1));
    return new ShippedType(
        cells.get(0),
        cells.get(1),
        Integer.parseInt(cells.get(2)),
        Integer.parseInt(cells.get(3)),
        Double.parseDouble(cells.get(4)),
        Double.parseDouble(cells.get(5)),
        Double.parseDouble(cells.get(6)));
  }
}
