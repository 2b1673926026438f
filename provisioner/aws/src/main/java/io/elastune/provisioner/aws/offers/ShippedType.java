package io.elastune.provisioner.aws.offers;

import java.util.List;

/**
 * A row of the shipped table.
 *
 * @param vcpus vCPUs, the unit of EC2 quotas
 * @param usdPerHour on-demand price, in USD per hour
 * @param queueS assumed seconds from request to running
 * @param bootS assumed seconds from running to ready
 */
public record ShippedType(
    String name, String gpu, int gpus, int vcpus, double usdPerHour, double queueS, double bootS) {
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
