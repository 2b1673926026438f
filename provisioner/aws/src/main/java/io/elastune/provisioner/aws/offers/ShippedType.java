package io.elastune.provisioner.aws.offers;

import java.util.List;

/**
 * A row of the shipped table.
 *
 * @param vcpus virtual processors, in which EC2 counts quotas
 * @param usdPerHour on demand
 * @param queueS seconds from request to running, assumed
 * @param bootS seconds from running to ready, assumed
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
